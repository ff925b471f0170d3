/** What webhooks does without an organization, with one reason each. */
import type { SchemaExceptions, StatementException } from '@pto/testing';

const ofBus = 'messages of the bus, of all organizations, which stay in their cell';

export const schemaExceptions: SchemaExceptions = {
  tables: {
    consumer_positions: ofBus,
    dead_letters: ofBus,
    inbox: ofBus,
    migrations: 'the list of migrations',
    move_settings: 'settings of the cell, for the mover',
    probe_budgets: 'budgets of hosts, which the organizations share',
  },
  keys: {},
};

const located = 'an operator has the id alone: the statement finds the organization by it';
const sealed = 'operators change the sealing key of the secrets of all organizations';

export const statementExceptions: readonly StatementException[] = [
  {
    part: 'with recursive queued',
    why: 'a claim leases due deliveries of all organizations; it finds the rows again by ctid',
  },
  { part: 'from "deliveries" where "id" = $1', why: located },
  { part: 'from "endpoints" where "id" = $1 union all', why: located },
  { part: '"id" from "endpoints" where "id" = $1', why: located },
  { part: 'and "exhausted" > $', why: 'the sweep looks for silent endpoints of all organizations' },
  {
    part: 'and "failing_since" <= now()',
    why: 'the sweep looks for failing endpoints of all organizations',
  },
  {
    part: 'set "generation" = "generation" + ',
    why: 'the sweep ends what was not verified in time',
  },
  {
    part: 'from "endpoints" where "status" = $1 and "disabled" = $2 and (("failing_since" is not null',
    why: 'operators see endpoints of all organizations that become BROKEN',
  },
  { part: 'update "warnings" set "tries"', why: 'due warnings of all organizations' },
  { part: 'from "endpoint_secrets" where "sealing_key" <> $1 order by', why: sealed },
  { part: 'as "count" from "endpoint_secrets" where "sealing_key" <> $1', why: sealed },
  {
    part: 'from "endpoint_secrets" where "sealing_key" <> all',
    why: 'at its start a process checks that it has the keys of all secrets',
  },
  { part: 'as "quarantined", coalesce(extract(', why: 'the gauges of the queue' },
];
