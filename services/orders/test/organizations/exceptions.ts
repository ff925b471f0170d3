/** What orders does without an organization, with one reason each. */
import type { SchemaExceptions, StatementException } from '@pto/testing';

const ofBus = 'messages of the bus, of all organizations, which stay in their cell';

export const schemaExceptions: SchemaExceptions = {
  tables: {
    consumer_positions: ofBus,
    dead_letters: ofBus,
    inbox: ofBus,
    ledger_audits: 'audits of the whole ledger',
    migrations: 'the list of migrations',
    move_settings: 'settings of the cell, for the mover',
    outbox: ofBus,
    topic_partitions: ofBus,
  },
  keys: {},
};

const allOrders = 'custody and the auditor compare the orders of all organizations';
const violations =
  'operators and the auditor see the violations of all organizations and of the log';

export const statementExceptions: readonly StatementException[] = [
  {
    part: 'select "id", "organization_id" from "orders" where "id" = any($1)',
    why: 'finds the organization for an operator or the auditor, who has the id alone',
  },
  {
    part: 'select "order_id" as "id", "organization_id" from "moved_orders" where "order_id" = any($1) union',
    why: 'finds the organization for an operator or the auditor, who has the id alone',
  },
  { part: ' as "pickup_city"', why: 'operators search the orders of all organizations' },
  {
    part: 'with recursive "organizations"("id")',
    why: 'operators find an external id in all organizations',
  },
  { part: 'left join lateral (select array_agg("p"."sequence"', why: allOrders },
  { part: 'from "unreported_events" where "produced_at" <=', why: allOrders },
  {
    part: 'delete from "done_commands" where ("organization_id", "id") in',
    why: 'the oldest ids of all organizations expire',
  },
  {
    part: 'union select "organization_id", "order_id" from "artifacts"',
    why: 'the retention looks for the oldest personal data of all organizations',
  },
  {
    part: 'from "artifacts" where "expires_at" <= statement_timestamp()',
    why: 'the oldest files of all organizations expire',
  },
  {
    part: 'where "o"."expected_due_at" <= statement_timestamp()',
    why: 'the expected times of all organizations are announced',
  },
  { part: 'where "resolved_at" is not null order by "id"', why: violations },
  { part: 'and "acknowledged_at" is not null order by "id"', why: violations },
  { part: 'where "resolved_at" is null order by "id"', why: violations },
  { part: '"acknowledged_at" is null) order by "id"', why: violations },
  { part: '"notified_at" is null order by "id"', why: violations },
  { part: 'cast(count(*) as integer) as "open"', why: violations },
  { part: 'and "id" = $3 returning *', why: 'an operator acknowledges a violation by its id' },
  {
    part: 'set "notified_at" = clock_timestamp()',
    why: 'the auditor reports the ids of violations',
  },
  {
    part: 'set "resolved_at" = clock_timestamp()',
    why: 'the auditor reports the ids of violations',
  },
];
