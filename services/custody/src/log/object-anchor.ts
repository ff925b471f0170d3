import {
  GetObjectCommand,
  GetObjectLockConfigurationCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ConfigError } from '@pto/config';
import type { Anchor, AnchoredNote } from './anchor.ts';
import { readCheckpoint } from './note-signer.ts';

export interface ObjectAnchorSettings {
  /** `s3://bucket/prefix`. */
  readonly anchorBucket: string;
  /** Of a store that is not Amazon's; empty for theirs. */
  readonly anchorEndpoint: string;
  /** How long nobody, its owner included, can remove or change a checkpoint. */
  readonly anchorRetentionMs: number;
}

const callMaxMs = 10_000;
/** A start waits no longer to hear whether the bucket locks. */
const askMaxMs = 5000;
const pageSize = 1000;
/** Objects read at the same time while all are read. */
const readsAtOnce = 16;

/**
 * An anchor in object storage under a retention lock: an object a checkpoint, named by its size so
 * that names sort as the log grew. The lock keeps the first version of each; whatever was put over
 * it or marks it deleted came later, so only first versions are read.
 * @throws ConfigError for a bucket that locks nothing.
 */
export const objectAnchor = async (settings: ObjectAnchorSettings): Promise<Anchor> => {
  const { Bucket, prefix } = whereTo(settings.anchorBucket);
  const client = new S3Client({
    ...(settings.anchorEndpoint && { endpoint: settings.anchorEndpoint, forcePathStyle: true }),
    maxAttempts: 3,
    requestHandler: { requestTimeout: callMaxMs, connectionTimeout: callMaxMs },
  });
  let locked: Promise<void> | undefined;
  /** Asked once that it was answered. */
  const refuseUnlocked = (): Promise<void> => {
    locked ??= askLock(client, Bucket).catch((error) => {
      locked = undefined;
      throw error;
    });
    return locked;
  };
  // a store that is away now is asked before anything is kept there; the ledger serves meanwhile
  await refuseUnlocked().catch((error) => {
    if (!isAway(error)) throw error;
  });
  const keyOf = (size: number) => `${prefix}${String(size).padStart(16, '0')}`;
  /** The newest that is known here: what was appended is never taken back or changed. */
  let newest: { size: number; note: string | null } = { size: 0, note: null };

  const list = (KeyMarker: string, MaxKeys: number, VersionIdMarker?: string) =>
    client.send(
      new ListObjectVersionsCommand({
        Bucket,
        Prefix: prefix,
        KeyMarker,
        VersionIdMarker,
        MaxKeys,
      }),
    );
  /** The size of some checkpoint over more than that many leaves, or null where there is none. */
  const moreThan = async (size: number): Promise<number | null> => {
    const { Versions = [], DeleteMarkers = [] } = await list(keyOf(size), 1);
    const [name] = [...Versions, ...DeleteMarkers];
    return name?.Key?.startsWith(prefix) ? sizeIn(name.Key.slice(prefix.length)) : null;
  };
  /** The first version of each object behind that key, the smallest first. */
  async function* firstVersions(behind: string): AsyncGenerator<ObjectVersion> {
    let held: ObjectVersion | undefined;
    for (let key = behind, version: string | undefined; ; ) {
      const page = await list(key, pageSize, version);
      // the newest come first within an object
      for (const next of page.Versions ?? []) {
        if (held && held.Key !== next.Key) yield held;
        held = next;
      }
      if (!page.IsTruncated) break;
      [key, version] = [page.NextKeyMarker!, page.NextVersionIdMarker];
    }
    if (held) yield held;
  }
  const read = async ({ Key, VersionId }: ObjectVersion): Promise<AnchoredNote> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    return { note: (await Body?.transformToString()) ?? '', mark: Key ?? '' };
  };

  return {
    last: async () => {
      let { size } = newest;
      for (let step = 1; step >= 1; ) {
        const found = await moreThan(size + step - 1);
        step = found === null ? Math.floor(step / 2) : step * 2;
        size = found ?? size;
      }
      if (size === newest.size) return newest.note;
      for await (const version of firstVersions(keyOf(size - 1))) {
        newest = { size, note: (await read(version)).note };
        break;
      }
      return newest.note;
    },
    append: async (note) => {
      await refuseUnlocked();
      const { size } = readCheckpoint(note);
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key: keyOf(size),
          Body: note,
          ContentType: 'text/plain; charset=utf-8',
          ChecksumAlgorithm: 'SHA256',
          ObjectLockMode: 'COMPLIANCE',
          ObjectLockRetainUntilDate: new Date(Date.now() + settings.anchorRetentionMs),
          IfNoneMatch: '*',
        }),
      );
      if (size > newest.size) newest = { size, note };
    },
    notes: async function* (behind) {
      let reading: Promise<AnchoredNote>[] = [];
      for await (const version of firstVersions(behind || keyOf(0))) {
        reading.push(read(version));
        if (reading.length < readsAtOnce) continue;
        yield* await Promise.all(reading);
        reading = [];
      }
      yield* await Promise.all(reading);
    },
    close: () => client.destroy(),
  };
};

const sizeIn = (name: string): number | null => {
  const size = Number(name.slice(0, 16));
  return Number.isSafeInteger(size) ? size : null;
};

const whereTo = (address: string): { Bucket: string; prefix: string } => {
  const [, Bucket, path] = /^s3:\/\/([a-z0-9.-]{3,63})(?:\/(.*?))?\/?$/.exec(address) ?? [];
  if (Bucket === undefined)
    throw new ConfigError(['CUSTODY_ANCHOR_BUCKET: expected s3://bucket/prefix']);
  return { Bucket, prefix: path ? `${path}/` : '' };
};

/** No answer, or one that tells of the store's own trouble: not of a wrong name or key. */
const isAway = (error: unknown): boolean =>
  !(error instanceof ConfigError) && (error as { $fault?: string }).$fault !== 'client';

const askLock = async (client: S3Client, Bucket: string): Promise<void> => {
  const command = new GetObjectLockConfigurationCommand({ Bucket });
  const found = await client.send(command, { abortSignal: AbortSignal.timeout(askMaxMs) }).then(
    ({ ObjectLockConfiguration: lock }) => lock?.ObjectLockEnabled === 'Enabled',
    (error: Error) => {
      if (error.name === 'ObjectLockConfigurationNotFoundError') return false;
      throw error;
    },
  );
  if (!found)
    throw new ConfigError([
      `CUSTODY_ANCHOR_BUCKET: ${Bucket} keeps no object locks; make a bucket with them`,
    ]);
};
