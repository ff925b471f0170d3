/**
 * Artifacts of custody entries (decision 71). The table says which exist, and until when; the store
 * has the contents. A row is written before its content and outlives it, so a crash at any time
 * leaves no content that nobody erases.
 */
import type { Artifacts } from '@pto/artifacts';
import { type Database, execute, fragment, type Sql, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { beginChange } from '../change-time.ts';
import type { ArtifactReference } from '../domain/order.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { OrderKey } from '../reading/get-order.ts';
import { tables } from '../schema/tables.ts';

export interface ArtifactDeps {
  readonly db: Database;
  readonly artifacts: Artifacts;
  readonly files: Pick<FileReader, 'summarize' | 'inspect'>;
  /** Time for which a file is retained, in ms. */
  readonly artifactRetentionMs: number;
}

/** A file that was checked. */
export interface CheckedFile {
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: string;
}

/** Returns how a custody entry names a file. */
export const artifactReference = (file: CheckedFile, retentionMs: number): ArtifactReference => ({
  sha256: file.sha256,
  media_type: file.mediaType,
  size: file.size,
  kept_until: new Date(Date.now() + retentionMs).toISOString(),
});

/**
 * Stores a file that no committed entry names yet. Unless `attachArtifact` follows within a day, the
 * file is erased.
 * @param personal true if the file is erased with the order's personal data.
 * @throws Failure SERVICE_UNAVAILABLE while the same file, which has expired, is being erased;
 *   ORGANIZATION_HELD.
 */
export const storeArtifact = async (
  { db, artifacts }: ArtifactDeps,
  { organizationId, orderId }: OrderKey,
  { sha256, media_type }: ArtifactReference,
  content: Uint8Array,
  personal: boolean,
): Promise<void> => {
  const tomorrow = fragment<string>`clock_timestamp() + interval '1 day'`;
  const reservation = tables
    .insertInto('artifacts')
    .values({
      organization_id: organizationId,
      order_id: orderId,
      ...{ sha256, media_type, personal, expires_at: tomorrow },
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'order_id', 'sha256']).doNothing(),
    )
    .returning('sha256');
  const renewal = ofFile({ organizationId, orderId }, sha256)
    .set({ expires_at: fragment<string>`greatest(expires_at, ${tomorrow})` })
    .where('expires_at', '>', fragment<string>`clock_timestamp()`)
    .returning('sha256');
  const [renewed] = await db.transaction(async (tx) => {
    await beginChange(tx, organizationId);
    const reserved = await execute(tx, reservation);
    return reserved.length > 0 ? reserved : execute(tx, renewal);
  });
  if (!renewed)
    throw new Failure('SERVICE_UNAVAILABLE', 'The same file is being erased. Repeat the request.', {
      retryAfterSeconds: 60,
    });
  await artifacts.store({ orderId, sha256 }, content);
};

const ofFile = ({ organizationId, orderId }: OrderKey, sha256: string) =>
  tables
    .updateTable('artifacts')
    .where('organization_id', '=', organizationId)
    .where('order_id', '=', orderId)
    .where('sha256', '=', sha256);

/**
 * Records the entry that names a stored file, and the end of the file's retention.
 * @param readingsKey what the same readings have in any form of their file; null: no readings.
 */
export const attachArtifact = async (
  tx: Transaction,
  order: OrderKey,
  { sha256, kept_until }: ArtifactReference,
  sequence: number,
  readingsKey: string | null = null,
): Promise<void> => {
  const update = ofFile(order, sha256)
    .set({ sequence, expires_at: kept_until, readings_key: readingsKey })
    .returning('sequence');
  const [attached] = await execute(tx, update);
  if (!attached) throw new Error('the artifact of an entry was erased before its commit');
};

/**
 * Reads a file that an entry of an order names.
 * @throws Failure NOT_FOUND for another organization's order, an unknown hash, and a file that was
 *   erased or whose retention has ended.
 */
export const readArtifact = async (
  { db, artifacts }: ArtifactDeps,
  { organizationId, orderId }: OrderKey,
  sha256: string,
): Promise<{ readonly content: Uint8Array; readonly mediaType: string }> => {
  const select = tables
    .selectFrom('artifacts')
    .select('media_type')
    .where('organization_id', '=', organizationId)
    .where('order_id', '=', orderId)
    .where('sha256', '=', sha256)
    .where('sequence', 'is not', null)
    .where('expires_at', '>', fragment<string>`clock_timestamp()`);
  const [row] = await execute(db, select);
  const content = row && (await artifacts.read({ orderId, sha256 }));
  if (!content) throw artifactNotFound();
  return { content, mediaType: row.media_type };
};

export const artifactNotFound = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such artifact, or it was erased.', {
    details: { resource: 'artifact' },
  });

/**
 * Ends the retention of the personal files of a CLOSED or CANCELLED order: from the commit on they
 * are not served, and the expiry (artifact-expiry.ts) erases them.
 * @returns whether there was one.
 */
export const expirePersonalArtifacts = async (
  sql: Sql,
  { organizationId, orderId }: OrderKey,
): Promise<boolean> => {
  const ended = tables
    .selectFrom('orders')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orderId)
    .where('status', 'in', ['CLOSED', 'CANCELLED']);
  const now = fragment<string>`clock_timestamp()`;
  const update = tables
    .updateTable('artifacts')
    .set({ expires_at: now })
    .where('organization_id', '=', organizationId)
    .where('order_id', 'in', ended)
    .where('personal', '=', true)
    .where('expires_at', '>', now)
    .returning('sha256');
  return (await execute(sql, update)).length > 0;
};
