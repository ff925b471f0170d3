import { GetObjectLockConfigurationCommand, S3Client } from '@aws-sdk/client-s3';
import { ConfigError } from '@pto/config';
import type { AnchorSettings } from '../config.ts';
import { readCheckpoint } from '../log/note-signer.ts';
import { type Anchor, mergeNotes, newer, recentMs } from './anchor.ts';
import { objectSequence } from './object-sequence.ts';

const callMaxMs = 10_000;
/** Maximum time that the start waits to learn whether the bucket locks objects. */
const lockCheckMaxMs = 5000;
/**
 * Prefix, below the anchor's prefix, of notes that are not the first of an hour. A lifecycle rule
 * of the bucket deletes expired notes.
 */
const recent = 'recent/';

/**
 * Opens an anchor in object storage under a retention lock, with one object per checkpoint. Hourly
 * checkpoints are stored under the configured prefix with the full retention, other checkpoints
 * under `recent/` with a retention of at most two days. If the storage is unavailable, the anchor
 * opens although the lock is not checked, and checks the lock before the first append.
 * @throws ConfigError for a bucket without object lock, or a malformed bucket setting.
 */
export const objectAnchor = async (settings: AnchorSettings): Promise<Anchor> => {
  const { Bucket, prefix } = locate(settings.anchorBucket);
  const client = new S3Client({
    ...(settings.anchorEndpoint && { endpoint: settings.anchorEndpoint, forcePathStyle: true }),
    maxAttempts: 3,
    requestHandler: { requestTimeout: callMaxMs, connectionTimeout: callMaxMs },
  });
  let locked: Promise<void> | undefined;
  /**
   * Checks that the bucket locks objects. After the first successful check the result is cached.
   */
  const requireLock = (): Promise<void> => {
    locked ??= checkLock(client, Bucket).catch((error) => {
      locked = undefined;
      throw error;
    });
    return locked;
  };
  // the service can start while the storage is unavailable
  await requireLock().catch((error) => {
    if (!isUnavailable(error)) throw error;
  });
  const hourlyNotes = objectSequence(client, Bucket, prefix);
  const recentNotes = objectSequence(client, Bucket, `${prefix}${recent}`);

  return {
    last: async () => {
      const [hourly, other] = await Promise.all([hourlyNotes.last(), recentNotes.last()]);
      return newer(hourly, other);
    },
    append: async (note, hourly) => {
      await requireLock();
      const { size } = readCheckpoint(note);
      if (hourly) await hourlyNotes.put(size, note, settings.anchorRetentionMs);
      else await recentNotes.put(size, note, Math.min(recentMs, settings.anchorRetentionMs));
    },
    notes: (behind) => mergeNotes([hourlyNotes.notes(behind), recentNotes.notes(behind)]),
    close: () => client.destroy(),
  };
};

const locate = (address: string): { Bucket: string; prefix: string } => {
  const [, Bucket, path] = /^s3:\/\/([a-z0-9.-]{3,63})(?:\/(.*?))?\/?$/.exec(address) ?? [];
  if (Bucket === undefined)
    throw new ConfigError(['CUSTODY_ANCHOR_BUCKET: expected s3://bucket/prefix']);
  return { Bucket, prefix: path ? `${path}/` : '' };
};

/**
 * Whether the storage did not respond or reported an internal error. A wrong name or key is
 * neither.
 */
const isUnavailable = (error: unknown): boolean =>
  !(error instanceof ConfigError) && (error as { $fault?: string }).$fault !== 'client';

const checkLock = async (client: S3Client, Bucket: string): Promise<void> => {
  const command = new GetObjectLockConfigurationCommand({ Bucket });
  const found = await client
    .send(command, { abortSignal: AbortSignal.timeout(lockCheckMaxMs) })
    .then(
      ({ ObjectLockConfiguration: lock }) => lock?.ObjectLockEnabled === 'Enabled',
      (error: Error) => {
        if (error.name === 'ObjectLockConfigurationNotFoundError') return false;
        throw error;
      },
    );
  if (!found)
    throw new ConfigError([
      `CUSTODY_ANCHOR_BUCKET: ${Bucket} has no object lock; create a bucket with object lock enabled`,
    ]);
};
