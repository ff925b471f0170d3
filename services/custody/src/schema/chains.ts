import { defineEntity, p } from '@mikro-orm/core';

/** The head of an order's chain. */
export const ChainEntity = defineEntity({
  name: 'Chain',
  tableName: 'chains',
  properties: {
    orderId: p.uuid().primary(),
    organizationId: p.uuid(),
    sequence: p.integer(),
    headHash: p.text(),
  },
});

/**
 * An entry of an order's chain. `canonical_text` is the text whose hash is `event_hash`. `ts_utc`
 * and `payload` (JSON) are stored as text, as orders sent them.
 */
export const EntryEntity = defineEntity({
  name: 'Entry',
  tableName: 'entries',
  properties: {
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    id: p.uuid().unique('entries_id_key'),
    type: p.text(),
    internalType: p.text(),
    tsUtc: p.text(),
    gpsLat: p.double().$type<number>().nullable(),
    gpsLng: p.double().$type<number>().nullable(),
    payload: p.text().nullable(),
    prevEventHash: p.text(),
    eventHash: p.text(),
    canonicalText: p.text(),
    appendedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
  uniques: [
    { name: 'entries_order_id_prev_event_hash_key', properties: ['orderId', 'prevEventHash'] },
  ],
});
