import { entryText, genesisHash, sha256Hex } from '@pto/custody-verifier';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import type { EntryRow, Head } from './read-chain.ts';

export const emptyHead = (orderId: string): Head => ({ sequence: 0, hash: genesisHash(orderId) });

/**
 * Returns the entry for `event` that follows `head`: pure.
 * @throws Error if the event's number is not the head's number plus 1: the ledger has no gaps.
 */
export const link = (head: Head, event: OrderEvent): EntryRow => {
  if (event.sequence !== head.sequence + 1)
    throw new Error(`event ${event.sequence} cannot follow entry ${head.sequence}`);
  const entry = {
    id: event.id,
    type: event.type,
    internal_type: event.internalType,
    ts_utc: event.tsUtc,
    gps_lat: event.position?.lat ?? null,
    gps_lng: event.position?.lng ?? null,
    prev_event_hash: head.hash,
  };
  const payload = event.payloadJson === '' ? null : event.payloadJson;
  const text = entryText(event.orderId, {
    ...entry,
    payload: payload === null ? null : JSON.parse(payload),
  });
  return {
    ...entry,
    order_id: event.orderId,
    sequence: event.sequence,
    payload,
    event_hash: sha256Hex(text),
    canonical_text: text,
  };
};
