import { describe, expect, test } from '@jest/globals';
import { genesisHash, verifyEvents } from '../../src/index.ts';
import { entries, orderId } from '../samples/a-proof.ts';

const text = JSON.stringify(entries);
const head = entries.at(-1)!.event_hash;
const upTo = '2026-01-15T11:02:59.001Z';
const consistent = {
  verdict: 'consistent',
  headline: 'Consistent, but the signer is unknown: a list of events has no signature.',
  limit: `Shows 3 entries up to ${upTo}. Anyone could have made this file, and nothing shows whether later entries were cut off.`,
  orderId,
  entries: 3,
  upTo,
  head,
  log: null,
  completeness: null,
  personal: { recomputed: [], erased: [], withheld: [] },
  devices: [],
};

test('a list of events is consistent at most', async () => {
  expect(await verifyEvents(text, orderId)).toStrictEqual(consistent);
  expect(await verifyEvents(new TextEncoder().encode(text), orderId)).toStrictEqual(consistent);
});

test('no events are the history of an order without entries', async () => {
  expect(await verifyEvents('[]', orderId)).toMatchObject({
    verdict: 'consistent',
    headline: 'Consistent, but the signer is unknown: the order has no custody entries.',
    limit: 'Nothing shows whether entries were left out.',
    entries: 0,
    upTo: null,
    head: genesisHash(orderId),
  });
});

test('a chain that contains the seen head is consistent', async () => {
  const seen = { sequence: 2, hash: entries[1]!.event_hash };
  expect(await verifyEvents(text, orderId, seen)).toStrictEqual(consistent);
});

describe('a list of events is invalid:', () => {
  const headline = 'Invalid: the file is damaged, or it is not a proof file.';
  const limit = 'An invalid file proves nothing about the order.';
  test.each<[string, string | Uint8Array, string]>([
    ['a proof file', '{"v":"custody-proof/1"}', 'not a list of events'],
    ['a text that is cut off', text.slice(0, -1), 'not JSON: damaged, cut off or empty'],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'not UTF-8'],
  ])('%s', async (_, file, reason) => {
    const expected = { verdict: 'invalid', headline, limit, at: 'form', reason };
    expect(await verifyEvents(file, orderId)).toStrictEqual(expected);
  });

  test('an entry that was changed', async () => {
    expect(
      await verifyEvents(text.replace('order.in_transit', 'order.closed'), orderId),
    ).toStrictEqual({
      verdict: 'invalid',
      headline: 'Invalid: entry 2 does not fit: an entry was changed, added, moved or removed.',
      limit,
      at: 'entries',
      index: 1,
      entryId: entries[1]!.id,
      reason: 'event_hash does not match what the entry says',
    });
  });

  test('a chain without the seen head', async () => {
    const seen = { sequence: 2, hash: head };
    expect(await verifyEvents(text, orderId, seen)).toMatchObject({
      at: 'entries',
      index: 1,
      reason: 'entry 2, counted from 1, is not the one that was seen',
    });
  });
});

test('an order id of another type is an error of the program, not a verdict', async () => {
  await expect(verifyEvents(text, 7 as never)).rejects.toThrow(TypeError);
});
