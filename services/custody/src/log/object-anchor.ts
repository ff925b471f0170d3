import {
  GetObjectCommand,
  GetObjectLockConfigurationCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ConfigError } from '@pto/config';
import type { Anchor } from './anchor.ts';
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
  await refuseUnlocked(client, Bucket);
  const keyOf = (size: number) => `${prefix}${String(size).padStart(16, '0')}`;
  /** The size of the newest that is known here: what was appended is never taken back. */
  let newest = 0;

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
  /** The first version of each object behind that size, the smallest first. */
  async function* firstVersions(size: number): AsyncGenerator<ObjectVersion> {
    let held: ObjectVersion | undefined;
    for (let key = keyOf(size), version: string | undefined; ; ) {
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
  const read = async ({ Key, VersionId }: ObjectVersion): Promise<string> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    return (await Body?.transformToString()) ?? '';
  };

  return {
    last: async () => {
      for (let step = 1; step >= 1; ) {
        const found = await moreThan(newest + step - 1);
        step = found === null ? Math.floor(step / 2) : step * 2;
        newest = found ?? newest;
      }
      for await (const version of firstVersions(newest - 1)) return read(version);
      return null;
    },
    append: async (note) => {
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
      newest = Math.max(newest, size);
    },
    all: async function* () {
      let reading: Promise<string>[] = [];
      for await (const version of firstVersions(0)) {
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

const refuseUnlocked = async (client: S3Client, Bucket: string): Promise<void> => {
  const found = await client.send(new GetObjectLockConfigurationCommand({ Bucket })).then(
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
