import { type ChainEntry, entryHash, genesisHash } from '@pto/custody-verifier';

const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';

const steps = [
  { type: 'order.pickup_started', internal_type: 'PICKUP_STARTED', time: '09:12', payload: null },
  {
    type: 'order.sealed',
    internal_type: 'SEAL_APPLIED',
    time: '09:30',
    payload: { seal_ids: ['S-1042'] },
  },
  { type: 'order.in_transit', internal_type: 'TRANSPORT_STARTED', time: '09:34', payload: null },
  { type: 'order.delivered', internal_type: 'CUSTODY_TRANSFERRED', time: '10:58', payload: null },
] as const;

/** The history that the first page draws: invented entries, linked by the verifier's own hashes. */
export const exampleChain = () => {
  const entries: ChainEntry[] = [];
  for (const [n, { time, ...step }] of steps.entries()) {
    const unhashed = {
      ...step,
      id: `b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d0${n + 1}`,
      ts_utc: `2026-01-15T${time}:00.000Z`,
      gps_lat: null,
      gps_lng: null,
      prev_event_hash: entries.at(-1)?.event_hash ?? genesisHash(orderId),
    };
    entries.push({ ...unhashed, event_hash: entryHash(orderId, unhashed) });
  }
  return { orderId, entries: entries.map((entry) => ({ entry, json: JSON.stringify(entry) })) };
};
