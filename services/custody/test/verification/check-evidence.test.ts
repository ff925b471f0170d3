import { describe, expect, test } from '@jest/globals';
import { contentDigest } from '@pto/custody-verifier';
import type { EntryRow } from '../../src/chain/read-chain.ts';
import {
  checkEvidence,
  checkNewEntry,
  type Evidence,
} from '../../src/verification/check-evidence.ts';

const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';

const entryAt = (sequence: number): EntryRow => ({
  order_id: orderId,
  sequence,
  id: `b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d0${sequence}`,
  type: 'order.updated',
  internal_type: 'ORDER_UPDATED',
  ts_utc: '2026-01-15T09:30:00.000Z',
  gps_lat: null,
  gps_lng: null,
  payload: `{"n":${sequence}}`,
  prev_event_hash: '',
  event_hash: `hash-${sequence}`,
  canonical_text: '',
});
const entries = (count: number) => Array.from({ length: count }, (_, n) => entryAt(n + 1));
const digestOf = (entry: EntryRow) =>
  contentDigest({ ...entry, payload: JSON.parse(entry.payload!) });
const evidence = (sequence: number, reported: number, digestsFrom = 1): Evidence => ({
  sequence,
  custodySequence: reported,
  custodyHeadHash: reported === 0 ? '' : `hash-${reported}`,
  digests: new Map(
    entries(sequence)
      .filter((entry) => entry.sequence >= digestsFrom)
      .map((entry) => [entry.sequence, digestOf(entry)]),
  ),
});
const reasonOf = (count: number, before: Evidence | null, after: Evidence | null = null) =>
  checkEvidence({ orderId, entries: entries(count), before, after })?.reason ?? null;

describe('progress between the reads is no violation:', () => {
  test('the ledger stored events that orders produced after the first read', () => {
    expect(reasonOf(4, evidence(2, 2), evidence(5, 3))).toBeNull();
  });

  test('an order was created after the first read', () => {
    expect(reasonOf(1, null, evidence(1, 0))).toBeNull();
  });

  test('custody is behind: a delay', () => {
    expect(reasonOf(2, evidence(4, 2))).toBeNull();
  });

  test('nothing is stored yet', () => {
    expect(reasonOf(0, evidence(1, 0))).toBeNull();
  });

  test('events of before the digests have none', () => {
    expect(reasonOf(4, evidence(4, 4, 3))).toBeNull();
  });
});

describe('a contradiction is named:', () => {
  test('custody reported entries that the ledger no longer holds', () => {
    expect(reasonOf(2, evidence(3, 3))).toBe(
      'custody reported 3 entries to orders, the ledger holds 2',
    );
    expect(reasonOf(0, evidence(3, 1))).toBe(
      'custody reported 1 entries to orders, the ledger holds 0',
    );
  });

  test('an entry that is not the reported one', () => {
    const before = { ...evidence(3, 2), custodyHeadHash: 'another' };
    expect(reasonOf(3, before)).toBe('the entry is not the one that custody reported to orders');
    expect(reasonOf(3, { ...before, sequence: 2 }, evidence(3, 3))).toBe(
      'the entry is not the one that custody reported to orders',
    );
  });

  test('an entry that orders did not produce, by the read behind the chain', () => {
    expect(reasonOf(3, evidence(2, 2), evidence(2, 2))).toBe(
      'the ledger holds an entry that orders did not produce',
    );
  });

  test('a chain of an order that orders does not know', () => {
    expect(reasonOf(1, null, null)).toBe(
      'the ledger holds a chain of an order that orders does not know',
    );
  });

  test('an entry whose content is not what orders produced', () => {
    const before = evidence(3, 3);
    const digests = new Map(before.digests).set(2, new Uint8Array(32));
    expect(
      checkEvidence({ orderId, entries: entries(3), before: { ...before, digests }, after: null }),
    ).toEqual({
      orderId,
      entryId: entryAt(2).id,
      reason: 'the entry does not say what orders produced',
    });
  });

  test('an entry without a digest behind one that has it', () => {
    const before = evidence(3, 3);
    const digests = new Map(before.digests);
    digests.delete(2);
    expect(reasonOf(3, { ...before, digests })).toBe('orders holds no digest of the entry');
  });
});

describe('a new entry', () => {
  test('agrees with what orders produced', () => {
    expect(checkNewEntry(entryAt(2), evidence(2, 0))).toEqual([]);
  });

  test.each<[string, Evidence | undefined]>([
    ['the ledger holds an entry that orders did not produce', evidence(1, 0)],
    ['the ledger holds a chain of an order that orders does not know', undefined],
    [
      'the entry does not say what orders produced',
      { ...evidence(2, 0), digests: new Map([[2, new Uint8Array(32)]]) },
    ],
    [
      'the entry is not the one that custody reported to orders',
      { ...evidence(2, 2), custodyHeadHash: 'another' },
    ],
  ])('is named: %s', (reason, known) => {
    expect(checkNewEntry(entryAt(2), known)).toMatchObject([{ reason }]);
  });
});
