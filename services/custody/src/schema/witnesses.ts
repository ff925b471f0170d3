import { defineEntity, p } from '@mikro-orm/core';

/**
 * The state of one witness: the last size known for it, the largest size that it cosigned, the lease
 * of the replica that submits to it, and the time of the next try.
 */
export const WitnessEntity = defineEntity({
  name: 'Witness',
  tableName: 'log_witnesses',
  properties: {
    vkey: p.text().primary(),
    size: p.bigint('string').defaultRaw('0'),
    cosignedSize: p.bigint('string').defaultRaw('0'),
    lease: p.uuid().nullable(),
    leasedUntil: p.datetime().defaultRaw("'-infinity'"),
    failures: p.integer().default(0),
    dueAt: p.datetime().defaultRaw("'-infinity'"),
  },
});

/** A witness's signature line for the checkpoint of a size. */
export const CosignatureEntity = defineEntity({
  name: 'Cosignature',
  tableName: 'log_cosignatures',
  properties: {
    size: p.bigint('string').primary(),
    vkey: p.text().primary(),
    line: p.text(),
    cosignedAt: p.datetime(),
  },
});
