import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { PlacedNote } from './merge-notes.ts';

const pageSize = 1000;
/** Objects read at the same time while all are read. */
const readsAtOnce = 16;
/** Objects are named by the sizes of their checkpoints, so that names sort as the log grew. */
const nameLength = 16;

/**
 * Notes under one prefix of a bucket, an object each, stored under a retention lock. The lock keeps
 * the first version of an object; whatever was put over it or marks it deleted came later, so only
 * first versions are read.
 */
export const objectSequence = (client: S3Client, Bucket: string, prefix: string) => {
  const keyOf = (size: number) => `${prefix}${nameOf(size)}`;
  /** The newest note known here; an object that was stored never changes. */
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
    const [first] = [...Versions, ...DeleteMarkers];
    return first?.Key?.startsWith(prefix) ? sizeIn(first.Key.slice(prefix.length)) : null;
  };
  /** The first version of each object behind that key, the smallest size first. */
  async function* firstVersions(behind: string): AsyncGenerator<ObjectVersion> {
    let held: ObjectVersion | undefined;
    for (let key = behind, version: string | undefined; ; ) {
      const page = await list(key, pageSize, version);
      // within an object the newest version comes first
      for (const next of page.Versions ?? []) {
        if (held && held.Key !== next.Key) yield held;
        held = sizeIn((next.Key ?? '').slice(prefix.length)) === null ? undefined : next;
      }
      if (!page.IsTruncated) break;
      [key, version] = [page.NextKeyMarker!, page.NextVersionIdMarker];
    }
    if (held) yield held;
  }
  const read = async ({ Key, VersionId }: ObjectVersion): Promise<PlacedNote<string>> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    return {
      note: (await Body?.transformToString()) ?? '',
      place: (Key ?? '').slice(prefix.length),
    };
  };
  /** The note of exactly that size, or null. */
  const noteAt = async (size: number): Promise<string | null> => {
    for await (const version of firstVersions(keyOf(size - 1)))
      return version.Key === keyOf(size) ? (await read(version)).note : null;
    return null;
  };

  return {
    last: async (): Promise<string | null> => {
      let { size } = newest;
      for (let step = 1; step >= 1; ) {
        const found = await moreThan(size + step - 1);
        step = found === null ? Math.floor(step / 2) : step * 2;
        size = found ?? size;
      }
      if (size !== newest.size) newest = { size, note: await noteAt(size) };
      return newest.note;
    },
    /** Stores a note unless it is stored. @throws Error where another note has its size */
    put: async (size: number, note: string, retentionMs: number): Promise<void> => {
      const put = new PutObjectCommand({
        Bucket,
        Key: keyOf(size),
        Body: note,
        ContentType: 'text/plain; charset=utf-8',
        ChecksumAlgorithm: 'SHA256',
        ObjectLockMode: 'COMPLIANCE',
        ObjectLockRetainUntilDate: new Date(Date.now() + retentionMs),
        IfNoneMatch: '*',
      });
      await client.send(put).catch(async (error: { name?: string }) => {
        if (error.name !== 'PreconditionFailed') throw error;
        if ((await noteAt(size)) !== note)
          throw new Error(`the anchor holds another checkpoint over ${size} leaves`);
      });
      if (size > newest.size) newest = { size, note };
    },
    /** Notes behind a place (the name of an object, or empty), in ascending order of size. */
    notes: async function* (behind: string): AsyncGenerator<PlacedNote<string>, undefined> {
      let reading: Promise<PlacedNote<string>>[] = [];
      for await (const version of firstVersions(`${prefix}${behind || nameOf(0)}`)) {
        reading.push(read(version));
        if (reading.length < readsAtOnce) continue;
        yield* await Promise.all(reading);
        reading = [];
      }
      yield* await Promise.all(reading);
    },
  };
};

/** The name of the object with a checkpoint over that many leaves. */
const nameOf = (size: number): string => String(size).padStart(nameLength, '0');

const sizeIn = (name: string): number | null => {
  if (!/^\d{16}$/.test(name)) return null;
  const size = Number(name);
  return Number.isSafeInteger(size) ? size : null;
};
