/**
 * The tables whose rows a move copies. `probe_budgets` belongs to hosts, and the tables of the bus to
 * their cell. An organization's inbox needs no copy: the target's custody announces no event again
 * that the source's has announced.
 */
import type { CopiedTable } from '@pto/moves';

/** What a page has. */
export interface CopyHead {
  /** Name of the table; a page of `endpoints` has the tables that belong to it, too. */
  readonly of: string;
  /** Whether the page begins its table. */
  readonly isFirst: boolean;
}

/**
 * Rows that stay: later copies have only those that were added or changed since. A row that the
 * source's rotation has dropped meanwhile expires in the target, too.
 */
export const history: readonly CopiedTable[] = [
  { name: 'events', key: { id: 'uuid' } },
  { name: 'deliveries', key: { id: 'uuid' } },
  { name: 'attempts', key: { delivery_id: 'uuid', number: 'smallint' } },
  { name: 'named_replays', key: { command_id: 'uuid' } },
];

export const endpointsTable: CopiedTable = { name: 'endpoints', key: { id: 'uuid' } };

/** Rows with a foreign key to `endpoints`; they share its page, which is read in one snapshot. */
export const endpointParts: readonly CopiedTable[] = [
  { name: 'endpoint_secrets', key: { id: 'uuid' } },
  { name: 'endpoint_sequences', key: { endpoint_id: 'uuid' } },
  { name: 'endpoint_creations', key: { endpoint_id: 'uuid' } },
];

/** Leases end before the last copy, and belong to processes of the source. */
const leases = ['lease_owner', 'leased_at', 'lease_until', 'due_if_lost_at'];

/** A table that is read in the order of `key`. */
export interface List extends CopiedTable {
  /** The primary key, if `key` is not. */
  readonly storedKey?: CopiedTable['key'];
}

/**
 * Rows that come and go: every copy has all of them, and the first page replaces those of the copy
 * before. The target numbers the queue and the quarantine itself, in the order of the source, so that
 * its own later deliveries come after them.
 */
export const lists: readonly List[] = [
  { name: 'deleted_endpoints', key: { id: 'uuid' } },
  { name: 'warnings', key: { id: 'uuid' } },
  { name: 'quarantined_deliveries', key: { position: 'bigint' }, numbered: ['position'] },
  {
    name: 'pending_deliveries',
    key: { position: 'bigint' },
    storedKey: { delivery_id: 'uuid' },
    numbered: ['position', ...leases],
    // each page sorts the organization's queue: no index has its position
    pageRows: 10_000,
  },
];
