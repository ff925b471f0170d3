import { describe, expect, test } from '@jest/globals';
import type { CompletenessPart, LogPart, Signer } from '../../src/proof/history-verdict.ts';
import {
  headlineOfFault,
  headlineOfHistory,
  invalidVerdict,
  isWitnessed,
  limitOfHistory,
} from '../../src/proof/sentences.ts';
import { entries, orderId } from '../samples/a-proof.ts';

describe('the headline of a fault says what is wrong:', () => {
  const inLog = 'the log proof does not show that the last entry is in the log';
  test.each([
    ['form', undefined, 'the file is damaged, or it is not a proof file'],
    ['genesis', undefined, 'the chain does not begin with the genesis hash of this order'],
    ['entries', 0, 'entry 1 does not fit: an entry was changed, added, moved or removed'],
    [
      'entries',
      undefined,
      'the list of entries does not fit: an entry was changed, added, moved or removed',
    ],
    ['count', undefined, 'the file has more or fewer entries than it states'],
    ['head_hash', undefined, 'the last entry is not the one that the file states'],
    ['log', undefined, inLog],
    ['log.inclusion', undefined, inLog],
    ['log.checkpoint', undefined, 'the checkpoint is not a signed state of the log'],
    [
      'completeness',
      undefined,
      'the file does not have the entries that the signed order index says the order has',
    ],
    ['keys', undefined, 'the keys in the file cannot be used for this history'],
    ['trusted_keys', undefined, 'a trusted key cannot be used for this history'],
    ['witnesses', undefined, 'the witnesses or the quorum cannot be used'],
    ['seen.head', 2, 'entry 3 is not the one that was seen before'],
    ['seen.checkpoint', undefined, 'the log is not shown to be the one that was seen before'],
  ])('%s, index %p', (at, index, sentence) => {
    expect(headlineOfFault(at, index)).toBe(`Invalid: ${sentence}.`);
  });
});

test('the verdict on a fault has the members of the fault', () => {
  const verdict = 'invalid';
  const limit = 'An invalid file proves nothing about the order.';
  const fault = { at: 'entries', index: 4, entryId: 'x', reason: 'why' };
  const headline = headlineOfFault('entries', 4);
  expect(invalidVerdict(fault)).toStrictEqual({ verdict, headline, limit, ...fault });
});

const logOf = (signer: Signer): LogPart => ({
  origin: 'x',
  leafIndex: 1,
  treeSize: 57,
  root: 'x',
  indexed: false,
  signer,
  key: null,
});
const completenessOf = (signer: Signer): CompletenessPart => ({
  treeSize: 57,
  root: 'x',
  time: null,
  signer,
  key: null,
});
const parts = {
  source: 'proof',
  orderId,
  entries,
  head: 'x',
  devices: [],
  log: null,
  completeness: null,
  witnesses: null,
} as const;
const fewer = { given: 3, quorum: 1, cosigned: [] };

describe('the headline of a history without a trusted signer says why:', () => {
  const events = { ...parts, source: 'events' } as const;
  const unchecked = 'this program cannot check signatures';
  const brought = 'only a key that the file itself brings signed the checkpoint';
  test.each([
    ['the log part is unchecked', { ...parts, log: logOf('unchecked') }, unchecked],
    ['its signer is unknown', { ...parts, log: logOf('unknown') }, brought],
    [
      'the completeness part of no entries is unchecked',
      { ...parts, entries: [], completeness: completenessOf('unchecked') },
      unchecked,
    ],
    ['a list of events', events, 'a list of events has no signature'],
    ['no events', { ...events, entries: [] }, 'the order has no custody entries'],
    ['no log part', parts, 'no checkpoint covers the last entry'],
  ])('%s', (_, of, why) => {
    expect(headlineOfHistory(of)).toBe(`Consistent, but the signer is unknown: ${why}`);
  });
});

describe('the limit speaks of witnesses', () => {
  const sentence = /Too few witnesses confirm/;
  test('if a trusted key signed and too few witnesses', () => {
    expect(limitOfHistory({ ...parts, log: logOf('trusted'), witnesses: fewer })).toMatch(sentence);
  });

  test('but not if no trusted key signed', () => {
    const of = { ...parts, log: logOf('unknown'), witnesses: fewer };
    expect(limitOfHistory(of)).toBe(limitOfHistory({ ...of, witnesses: null }));
  });
});

test('a history is witnessed by as many as the quorum', () => {
  const cosigned = { witness: 'x', name: 'x', cosignedAt: 'x' };
  expect(isWitnessed(null)).toBe(true);
  expect(isWitnessed(fewer)).toBe(false);
  expect(isWitnessed({ ...fewer, cosigned: [cosigned] })).toBe(true);
});
