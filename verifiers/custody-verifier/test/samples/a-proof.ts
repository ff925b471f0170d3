/** A proof file as the service makes it, of three entries that are all of the contract's forms. */
import { readFileSync } from 'node:fs';
import {
  type ChainEntry,
  entryHash,
  genesisHash,
  genesisRule,
  type ProofFile,
  proofVersion,
  proveConsistency,
  proveInclusion,
  toBase64,
} from '../../src/index.ts';
import { vkeyOfSigner } from '../../src/note/sign-note.ts';
import { aLog, logKey, origin, otherLeaf } from './a-signed-log.ts';

export const decision31 = JSON.parse(
  readFileSync(new URL('../../vectors/decision-31.json', import.meta.url), 'utf8'),
) as { order_id: string; genesis: string; entries: ChainEntry[] };

export const orderId = decision31.order_id;
export const leafIndex = 41;
export const treeSize = 57;

export type Unlinked = Required<Omit<ChainEntry, 'prev_event_hash' | 'event_hash' | 'disclosed'>>;

/** Links entries into the chain of an order. */
export const chained = (order: string, unlinked: readonly Unlinked[]): ChainEntry[] => {
  const chain: ChainEntry[] = [];
  for (const { id, type, internal_type, ts_utc, gps_lat, gps_lng, payload } of unlinked) {
    const prev_event_hash = chain.at(-1)?.event_hash ?? genesisHash(order);
    const entry = { id, type, internal_type, ts_utc, gps_lat, gps_lng, payload, prev_event_hash };
    chain.push({ ...entry, event_hash: entryHash(order, entry) } as ChainEntry);
  }
  return chain;
};

/** The entry of decision 31, and two after it. */
export const entries = chained(orderId, [
  decision31.entries[0] as Required<ChainEntry>,
  {
    id: 'b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d02',
    type: 'order.in_transit',
    internal_type: 'TRANSPORT_STARTED',
    ts_utc: '2026-01-15T09:41:07.250Z',
    gps_lat: null,
    gps_lng: null,
    payload: null,
  },
  {
    id: 'b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d03',
    type: 'order.delivered',
    internal_type: 'CUSTODY_TRANSFERRED',
    ts_utc: '2026-01-15T11:02:59.001Z',
    gps_lat: -33.86882,
    gps_lng: 151.20929,
    payload: { received_by: 'Zoë 😀', celsius: [4.5, -1e-7, 1e21], ﬁ: { a: true, '€': null } },
  },
]);

export const log = await aLog(
  Array.from({ length: 70 }, (_, n) =>
    n === leafIndex ? Buffer.from(entries.at(-1)!.event_hash, 'hex') : otherLeaf(n),
  ),
);

export const checkpoint = await log.checkpointAt(treeSize);

/** The path that shows that the log of the proof begins with an earlier one. */
export const consistencyFrom = async (earlier: number, later = treeSize): Promise<string[]> =>
  (await proveConsistency(earlier, later, log.hashesAt)).map(toBase64);

export const proof: ProofFile = {
  v: proofVersion,
  order_id: orderId,
  genesis: { rule: genesisRule, hash: genesisHash(orderId) },
  entries,
  count: entries.length,
  head_hash: entries.at(-1)!.event_hash,
  log: {
    origin,
    leaf_index: leafIndex,
    tree_size: treeSize,
    inclusion: (await proveInclusion(leafIndex, treeSize, log.hashesAt)).map(toBase64),
    checkpoint,
  },
  keys: [{ vkey: vkeyOfSigner(logKey), valid_from: '2026-01-01T00:00:00.000Z', valid_until: null }],
};
