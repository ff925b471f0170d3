/** A proof file whose entries commit to personal fields, two of which a later entry erases. */
import {
  type ChainEntry,
  commitmentOf,
  type Disclosure,
  type ProofFile,
  proveInclusion,
  toBase64,
} from '../../src/index.ts';
import { chained, leafIndex, orderId, proof, treeSize, type Unlinked } from './a-proof.ts';
import { aLog, otherLeaf } from './a-signed-log.ts';

const disclosures: readonly Disclosure[] = [
  { value: 'R. Kern', salt: '1'.repeat(64) },
  { value: 'Zoë 😀: "late"\u2028', salt: '2'.repeat(64) },
  { value: 'R. Kern', salt: '3'.repeat(64) },
];
const [first, note, second] = disclosures as [Disclosure, Disclosure, Disclosure];
const committed = (field: string, disclosure: Disclosure) => ({
  [field]: { commitment: commitmentOf(field, disclosure) },
});
const entry = (n: number, internal_type: string, day: string, payload: unknown): Unlinked => ({
  id: `b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9e0${n}`,
  type: 'order.updated',
  internal_type,
  ts_utc: `${day}T09:30:00.000Z`,
  gps_lat: null,
  gps_lng: null,
  payload,
});

const unlinked: readonly Unlinked[] = [
  entry(1, 'DRIVER_ASSIGNED', '2026-01-15', committed('driver', first)),
  entry(2, 'INCIDENT_REPORTED', '2026-01-15', { ...committed('note', note), reference: 'R-1' }),
  entry(3, 'DRIVER_RELEASED', '2026-01-15', committed('driver', second)),
  entry(4, 'PERSONAL_DATA_ERASED', '2026-01-16', {
    erased: { driver: [1, 3, 9, '1'], note: 2, phone: [6] },
  }),
  entry(5, 'PERSONAL_DATA_ERASED', '2026-01-18', { erased: { driver: [1], note: [2] } }),
  entry(6, 'ORDER_UPDATED', '2026-01-18', committed('phone', first)),
];

/** The values of entries 1, 2 and 3. */
export const values = [{ driver: first }, { note }, { driver: second }] as const;

/**
 * The first entries of the history, each with the values that the file discloses; `{}` for an entry
 * that is not named.
 */
export const personalProof = async (
  count: number,
  disclosed: readonly Readonly<Record<string, unknown>>[],
): Promise<ProofFile> => {
  const entries = chained(orderId, unlinked.slice(0, count));
  return loggedProof(
    entries.map((one, n) => ({ ...one, disclosed: disclosed[n] ?? {} }) as ChainEntry),
  );
};

/** A proof file of entries whose last one is in the log. */
export const loggedProof = async (entries: readonly ChainEntry[]): Promise<ProofFile> => {
  const head = entries.at(-1)!.event_hash;
  const log = await aLog(
    Array.from({ length: treeSize }, (_, n) =>
      n === leafIndex ? Buffer.from(head, 'hex') : otherLeaf(n),
    ),
  );
  const inclusion = (await proveInclusion(leafIndex, treeSize, log.hashesAt)).map(toBase64);
  return {
    ...{ ...proof, entries, count: entries.length, head_hash: head },
    log: { ...proof.log!, inclusion, checkpoint: await log.checkpointAt(treeSize) },
  };
};
