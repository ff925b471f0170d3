import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { AnchoredNote } from './anchor.ts';

const pageSize = 1000;
const readsAtOnce = 16;
/**
 * Length of an object's name: the zero-padded size of its checkpoint, so that names sort by size.
 */
const nameLength = 16;

/**
 * Reads and writes notes under one prefix of a bucket, one object per note, under a retention lock.
 * The lock retains the first version of an object. Later versions and delete markers may be an
 * attacker's, so only first versions are read.
 */
export const objectSequence = (client: S3Client, Bucket: string, prefix: string) => {
  const keyOf = (size: number) => `${prefix}${nameOf(size)}`;
  /**
   * The newest note that this process has read or stored. It can be cached, because a stored object
   * never changes.
   */
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
  /** Returns the smallest stored size greater than `size`, or null if there is none. */
  const moreThan = async (size: number): Promise<number | null> => {
    const { Versions = [], DeleteMarkers = [] } = await list(keyOf(size), 1);
    const [first] = [...Versions, ...DeleteMarkers];
    return first?.Key?.startsWith(prefix) ? sizeIn(first.Key.slice(prefix.length)) : null;
  };
  /** Returns the first version of each object after the key `behind`, smallest size first. */
  async function* firstVersions(behind: string): AsyncGenerator<ObjectVersion> {
    let held: ObjectVersion | undefined;
    for (let key = behind, version: string | undefined; ; ) {
      const page = await list(key, pageSize, version);
      // the storage lists an object's newest version first, so the last one listed is its first
      // version
      for (const next of page.Versions ?? []) {
        if (held && held.Key !== next.Key) yield held;
        held = sizeIn((next.Key ?? '').slice(prefix.length)) === null ? undefined : next;
      }
      if (!page.IsTruncated) break;
      [key, version] = [page.NextKeyMarker!, page.NextVersionIdMarker];
    }
    if (held) yield held;
  }
  const read = async ({ Key, VersionId }: ObjectVersion): Promise<AnchoredNote> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    return {
      note: (await Body?.transformToString()) ?? '',
      mark: (Key ?? '').slice(prefix.length),
    };
  };
  /** Returns the note of exactly that size, or null. */
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
    /**
     * Stores a note, unless it is stored already.
     * @throws Error if another note of that size is stored.
     */
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
    /**
     * Returns the notes after a position (the name of an object, or empty), in ascending order of
     * size.
     */
    notes: async function* (behind: string): AsyncGenerator<AnchoredNote, undefined> {
      let reading: Promise<AnchoredNote>[] = [];
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

/** Returns the name of the object with the checkpoint over that many leaves. */
const nameOf = (size: number): string => String(size).padStart(nameLength, '0');

const sizeIn = (name: string): number | null => {
  if (!/^\d{16}$/.test(name)) return null;
  const size = Number(name);
  return Number.isSafeInteger(size) ? size : null;
};
