import type { Database } from '@pto/database';
import { deleteRows, type Held, retiring } from '@pto/moves';

/** `endpoints` is last: its deletion deletes secrets, streams and creations. */
const retired = [
  'pending_deliveries',
  'quarantined_deliveries',
  'warnings',
  'attempts',
  'deliveries',
  'events',
  'named_replays',
  'deleted_endpoints',
  'endpoints',
];

/**
 * Deletes some of the organization's rows. @returns whether rows are left.
 * @throws Failure ILLEGAL_TRANSITION unless this token holds the organization and its changes are
 *   rejected.
 */
export const retire = (db: Database, held: Held): Promise<boolean> =>
  retiring(db, held, (tx) => deleteRows(tx, retired, held.organizationId));
