import { defineEntity, p } from '@mikro-orm/core';

/** How far a witness has cosigned, and the replica that submits to it. */
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
