import { describe, expect, test } from '@jest/globals';
import { type ChainEntry, canonicalJson, entryHash, genesisHash } from '../src/entry-hash.ts';
import { entriesMax, seenFault, verifyChain } from '../src/verify-chain.ts';

const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const genesis = genesisHash(orderId);

const entryAfter = (before: string, n: number): ChainEntry => {
  const entry = {
    id: `b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d0${n}`,
    type: 'order.updated',
    internal_type: 'ORDER_UPDATED',
    ts_utc: '2026-01-15T09:30:00.000Z',
    gps_lat: null,
    gps_lng: null,
    payload: null,
    prev_event_hash: before,
  };
  return { ...entry, event_hash: entryHash(orderId, entry) };
};
const first = entryAfter(genesis, 1);
const second = entryAfter(first.event_hash, 2);
const chain = [first, second];
const fault = (index: number, entryId: string, reason: string) => ({
  valid: false,
  index,
  entryId,
  reason,
});

describe('a chain is verified', () => {
  test('up to its head; the head of an empty chain is the genesis', () => {
    expect(verifyChain(orderId, [])).toEqual({ valid: true, head: genesis });
    expect(verifyChain(orderId, chain)).toEqual({ valid: true, head: second.event_hash });
  });

  test.each([
    [{ sequence: 0, hash: genesis }],
    [{ sequence: 1, hash: first.event_hash }],
    [{ sequence: 2, hash: second.event_hash }],
  ])('with an earlier head that it contains: %j', (seen) => {
    expect(verifyChain(orderId, chain, seen)).toEqual({ valid: true, head: second.event_hash });
    expect(seenFault(orderId, chain, seen)).toBeNull();
  });
});

describe('a fault is reported', () => {
  test('for an order id that is not Unicode', () => {
    expect(verifyChain('\ud800', [])).toEqual(fault(0, '', 'the order id is no text'));
  });

  test('for a chain longer than the bound', () => {
    const long = Array.from({ length: entriesMax + 1 }, () => first);
    expect(verifyChain(orderId, long)).toEqual(
      fault(entriesMax, first.id, 'more than 1000000 entries'),
    );
  });

  test('for a chain as long as the bound only where its entries have one', () => {
    const longest = Array.from({ length: entriesMax }, () => first);
    expect(verifyChain(orderId, longest)).toEqual(
      fault(1, first.id, 'prev_event_hash is not the hash of the entry before'),
    );
  });

  test('for a link that is no hash', () => {
    expect(verifyChain(orderId, [first, { ...second, prev_event_hash: 'none' }])).toEqual(
      fault(1, second.id, 'prev_event_hash is not 64 lower-case hex digits'),
    );
  });

  test('for an id that occurs twice', () => {
    const twice = entryAfter(first.event_hash, 1);
    expect(verifyChain(orderId, [first, twice])).toEqual(
      fault(1, first.id, 'its id is that of an earlier entry'),
    );
  });

  test.each<[string, ChainEntry[], number, string]>([
    ['of no form', [null as never], 0, ''],
    [
      'that follows another one',
      [first, { ...second, prev_event_hash: genesis }],
      1,
      'prev_event_hash is not the hash of the entry before',
    ],
    [
      'that is the first and does not follow the genesis',
      [second],
      0,
      "prev_event_hash is not the order's genesis hash",
    ],
    [
      'whose content was changed',
      [{ ...first, type: 'order.closed' }],
      0,
      'event_hash does not match what the entry says',
    ],
  ])('for an entry %s', (_, entries, index, reason) => {
    const verdict = verifyChain(orderId, entries);
    expect(verdict).toMatchObject({ valid: false, index });
    if (reason !== '') expect(verdict).toEqual(fault(index, entries[index]!.id, reason));
  });

  test.each([
    [{ sequence: -1, hash: genesis }],
    [{ sequence: 1.5, hash: genesis }],
    [{ sequence: 1, hash: 'x' }],
  ])('for a head of no form: %j', (seen) => {
    expect(seenFault(orderId, chain, seen)).toEqual(
      fault(0, first.id, 'a head is a whole number and 64 lower-case hex digits'),
    );
  });

  test('for a chain that was cut off', () => {
    expect(verifyChain(orderId, [first], { sequence: 2, hash: second.event_hash })).toEqual(
      fault(1, '', 'a head of 2 entries was seen, the chain has 1'),
    );
  });

  test.each([
    [0, 0],
    [1, 0],
    [2, 1],
  ])('for a chain that was written again from entry %i', (sequence, index) => {
    expect(verifyChain(orderId, chain, { sequence, hash: 'f'.repeat(64) })).toEqual(
      fault(
        index,
        chain[index]!.id,
        `entry ${sequence}, counted from 1, is not the one that was seen`,
      ),
    );
  });
});

describe('canonical JSON', () => {
  test('rejects a value that JSON cannot carry, with its kind', () => {
    expect(() => canonicalJson(Number.NaN)).toThrow(new TypeError('no JSON number: NaN'));
    expect(() => canonicalJson(undefined)).toThrow(new TypeError('no JSON value: undefined'));
    expect(() => canonicalJson('\udc00')).toThrow(new TypeError('a lone surrogate is no text'));
    expect(() => canonicalJson('a\ud800b')).toThrow(new TypeError('a lone surrogate is no text'));
  });

  test('writes each ASCII character as JSON.stringify does', () => {
    for (let code = 0; code < 0x82; code++) {
      const text = `a${String.fromCharCode(code)}`;
      expect(canonicalJson(text)).toBe(JSON.stringify(text));
    }
    expect(canonicalJson(false)).toBe('false');
    expect(canonicalJson({})).toBe('{}');
  });
});
