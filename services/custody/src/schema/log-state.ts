import { defineEntity, p } from '@mikro-orm/core';

/** The single row of the log's state. `halted` is the reason why nothing is appended or signed. */
export const LogStateEntity = defineEntity({
  name: 'LogState',
  tableName: 'log_state',
  properties: {
    one: p.boolean().primary().default(true),
    size: p.bigint('string'),
    halted: p.text().nullable(),
    anchoredSize: p.bigint('string').defaultRaw('0'),
    anchoredHourlySize: p.bigint('string').defaultRaw('0'),
  },
});
