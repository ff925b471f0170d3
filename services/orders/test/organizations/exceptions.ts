/** What orders does without an organization, with one reason each. */
import type { SchemaExceptions, StatementException } from '@pto/testing';
import { untilNextRelease } from '../../migrations/until-next-release.ts';

const ofBus = 'messages of the bus, of all organizations, which stay in their cell';

/** Tables whose keys do not begin with the organization yet. */
const pending = Object.fromEntries(
  [
    ...['locations', 'orders', 'produced_events', 'disclosures', 'entry_operators', 'artifacts'],
    ...['unreported_events', 'done_commands', 'integrity_violations'],
  ].map((table) => [table, 'not keyed by the organization yet']),
);

export const schemaExceptions: SchemaExceptions = {
  tables: {
    ...pending,
    consumer_positions: ofBus,
    dead_letters: ofBus,
    inbox: ofBus,
    ledger_audits: 'audits of the whole ledger',
    migrations: 'the list of migrations',
    outbox: ofBus,
  },
  keys: untilNextRelease,
};

export const statementExceptions: readonly StatementException[] = [];
