import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkpointText } from '@pto/custody-verifier';
import { freePort, pythonWith, until } from '@pto/testing';
import type { Anchor } from '../../src/anchor/anchor.ts';
import { openAnchor } from '../../src/anchor/open-anchor.ts';
import { noteSigner, readCheckpoint } from '../../src/log/note-signer.ts';

const python = pythonWith(['moto[s3,server]==5.2.5']);
const signer = noteSigner('log.test/custody', [Buffer.alloc(32, 5)]);
const noteOver = (size: number): string =>
  signer.sign(checkpointText({ origin: 'log.test/custody', size, root: new Uint8Array(32) }));
const otherSigner = noteSigner('log.test/custody', [Buffer.alloc(32, 6)]);
const dayMs = 86_400_000;

/**
 * moto takes a marker for the name of an object that it has, and then skips it; S3 begins behind the
 * name, be there such an object or not. A page holds fewer than requested, as S3 may do.
 */
const store = `
import sys
from moto.s3.models import S3Backend
from moto.server import main

listed = S3Backend.list_object_versions

def list_object_versions(self, bucket_name, delimiter=None, key_marker=None, max_keys=1000,
                         prefix='', version_id_marker=None):
    found, prefixes, marked, _, _ = listed(self, bucket_name, delimiter, None, 10**9, prefix, None)
    every = sorted([*found, *marked], key=lambda one: (one.name, -one.last_modified.timestamp()))
    at = [one.version_id for one in every].index(version_id_marker) if version_id_marker else -1
    behind = [one for n, one in enumerate(every)
              if (n > at if version_id_marker else one.name > (key_marker or ''))]
    page = behind[:min(max_keys, 3)]
    more = (page[-1].name, page[-1].version_id) if len(behind) > len(page) else (None, None)
    return ([one for one in found if one in page], prefixes,
            [one for one in marked if one in page], *more)

S3Backend.list_object_versions = list_object_versions
main(['-p', sys.argv[1]])
`;

/** The store's server is another's; here it is moto's, which keeps versions and locks as S3 does. */
(python ? describe : describe.skip)('an anchor in object storage', () => {
  let server: ChildProcess;
  let endpoint = '';
  let client: S3Client;
  beforeAll(async () => {
    const port = await freePort();
    server = spawn(python!, ['-c', store, String(port)], { stdio: 'ignore' });
    endpoint = `http://127.0.0.1:${port}`;
    process.env.AWS_ACCESS_KEY_ID = 'test';
    process.env.AWS_SECRET_ACCESS_KEY = 'test';
    process.env.AWS_REGION = 'eu-central-1';
    client = new S3Client({ endpoint, forcePathStyle: true });
    await until(
      () =>
        fetch(endpoint).then(
          () => true,
          () => false,
        ),
      { what: 'the store', deadlineMs: 60_000 },
    );
  }, 90_000);
  const opened: Anchor[] = [];
  afterAll(() => {
    for (const anchor of opened) anchor.close();
    client.destroy();
    server.kill();
  });

  const bucketOf = async (Bucket: string, locked = true): Promise<void> => {
    await client.send(
      new CreateBucketCommand({
        Bucket,
        ObjectLockEnabledForBucket: locked,
        CreateBucketConfiguration: { LocationConstraint: 'eu-central-1' },
      }),
    );
  };
  const open = async (bucket: string, at = endpoint): Promise<Anchor> => {
    const anchor = await openAnchor({
      anchorFile: '',
      anchorBucket: `s3://${bucket}/ledger`,
      anchorEndpoint: at,
      anchorRetentionMs: 10 * dayMs,
    });
    opened.push(anchor);
    return anchor;
  };
  const notesIn = async (anchor: Anchor): Promise<string[]> => {
    const notes: string[] = [];
    for await (const { note } of anchor.notes('')) notes.push(note);
    return notes;
  };
  const sizes = async (anchor: Anchor): Promise<number[]> =>
    (await notesIn(anchor)).map((note) => readCheckpoint(note).size);

  test('it gives back every note in order, also to a process that was never there', async () => {
    await bucketOf('whole');
    const anchor = await open('whole');
    expect(await anchor.last()).toBeNull();
    const given = [1, 2, 9, 10, 1000, 1001, 70_000, 12_345_678];
    for (const size of given) {
      await anchor.append(noteOver(size), true);
      expect(await anchor.last()).toBe(noteOver(size));
    }
    const other = await open('whole');
    expect(await other.last()).toBe(noteOver(12_345_678));
    expect(await sizes(other)).toEqual(given);
  });

  test('an appended note can be neither replaced by the service nor removed by the owner', async () => {
    await bucketOf('locked');
    const anchor = await open('locked');
    await anchor.append(noteOver(5), true);
    const other = otherSigner.sign(
      checkpointText({ origin: 'log.test/custody', size: 5, root: new Uint8Array(32) }),
    );
    await expect(anchor.append(other, true)).rejects.toThrow(
      'the anchor holds another checkpoint over 5 leaves',
    );
    await anchor.append(noteOver(5), true);
    expect(await notesIn(anchor)).toEqual([noteOver(5)]);
    const { Versions } = await client.send(new ListObjectVersionsCommand({ Bucket: 'locked' }));
    const { Key, VersionId } = Versions![0]!;
    await expect(
      client.send(new DeleteObjectCommand({ Bucket: 'locked', Key, VersionId })),
    ).rejects.toThrow(/denied|locked/i);
  });

  test('a note that was put over, or marked deleted, is still read as it first was', async () => {
    await bucketOf('overlaid');
    const anchor = await open('overlaid');
    for (const size of [3, 4, 5]) await anchor.append(noteOver(size), true);
    const key = (size: number) => `ledger/${String(size).padStart(16, '0')}`;
    const forged = { Bucket: 'overlaid', Key: key(4), Body: 'forged' };
    for (let n = 0; n < 3; n++) await client.send(new PutObjectCommand(forged));
    await client.send(new DeleteObjectCommand({ Bucket: 'overlaid', Key: key(5) }));
    const other = await open('overlaid');
    expect(await notesIn(other)).toEqual([3, 4, 5].map(noteOver));
    expect(await other.last()).toBe(noteOver(5));
  });

  test('notes that are not hourly come back in order between the hourly ones, and are locked for two days', async () => {
    await bucketOf('thinned');
    const anchor = await open('thinned');
    for (const size of [1, 2, 3, 4, 10, 11, 12])
      await anchor.append(noteOver(size), size % 10 === 1);
    await anchor.append(noteOver(12), true); // the newest one becomes hourly when it is an hour old
    const other = await open('thinned');
    expect(await sizes(other)).toEqual([1, 2, 3, 4, 10, 11, 12]);
    expect(await other.last()).toBe(noteOver(12));
    const { Versions = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket: 'thinned', Prefix: 'ledger/recent/' }),
    );
    expect(Versions.map(({ Key }) => Number(Key!.slice(-16)))).toEqual([2, 3, 4]);
    const { ObjectLockRetainUntilDate: lockedUntil } = await client.send(
      new HeadObjectCommand({ Bucket: 'thinned', Key: Versions[0]!.Key! }),
    );
    const days = (lockedUntil!.getTime() - Date.now()) / dayMs;
    expect(Math.round(days)).toBe(2);
  });

  test('a bucket that locks nothing is refused at the start', async () => {
    await bucketOf('unlocked', false);
    await expect(open('unlocked')).rejects.toThrow(
      'CUSTODY_ANCHOR_BUCKET: unlocked has no object lock',
    );
  });

  test('more notes than a page holds come back whole', async () => {
    await bucketOf('many');
    const anchor = await open('many');
    const given = Array.from({ length: 25 }, (_, n) => n + 1);
    await Promise.all(given.map((size) => anchor.append(noteOver(size), true)));
    const other = await open('many');
    expect(await other.last()).toBe(noteOver(25));
    expect(await sizes(other)).toEqual(given);
    const marks: string[] = [];
    for await (const { mark } of other.notes('')) marks.push(mark);
    for await (const { note } of other.notes(marks[20]!)) {
      expect(note).toBe(noteOver(22));
      break;
    }
  });

  test('a store that is unavailable at the start is checked for its lock before anything is stored', async () => {
    await bucketOf('late');
    await bucketOf('loose', false);
    const port = await freePort();
    const at = `http://127.0.0.1:${port}`;
    const [late, loose] = [await open('late', at), await open('loose', at)];
    await expect(late.append(noteOver(1), true)).rejects.toThrow();
    const proxy = createServer((socket) => {
      const way = connect(Number(new URL(endpoint).port), '127.0.0.1');
      for (const end of [socket, way]) end.on('error', () => {});
      socket.pipe(way).pipe(socket);
    }).listen(port, '127.0.0.1');
    await once(proxy, 'listening');
    await late.append(noteOver(1), true);
    await expect(loose.append(noteOver(1), true)).rejects.toThrow('loose has no object lock');
    expect([await late.last(), await loose.last()]).toEqual([noteOver(1), null]);
    proxy.close();
  });
});

test('no anchor, or two, is a bad configuration', async () => {
  const none = { anchorFile: '', anchorBucket: '', anchorEndpoint: '', anchorRetentionMs: dayMs };
  const message = 'CUSTODY_ANCHOR_FILE or CUSTODY_ANCHOR_BUCKET: give one of the two';
  await expect(openAnchor(none)).rejects.toThrow(message);
  const both = { ...none, anchorFile: 'a', anchorBucket: 's3://bucket' };
  await expect(openAnchor(both)).rejects.toThrow(message);
});
