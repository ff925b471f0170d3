import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, pythonWith, until } from '@pto/testing';
import type { ArtifactId } from '../../src/index.ts';
import { openBucket } from '../../src/store/bucket.ts';
import { artifactsWith, conformsToArtifacts, idOf } from './conformance.ts';

process.env.AWS_ACCESS_KEY_ID = 'test';
process.env.AWS_SECRET_ACCESS_KEY = 'test';
process.env.AWS_REGION = 'eu-central-1';

const python = pythonWith(['moto[s3,server]==5.2.5']);

/** The server is moto's, which keeps versions as S3 does. */
(python ? describe : describe.skip)('a bucket', () => {
  let server: ChildProcess;
  let endpoint = '';
  let client: S3Client;
  beforeAll(async () => {
    const port = await freePort();
    endpoint = `http://127.0.0.1:${port}`;
    server = spawn(python!, ['-m', 'moto.server', '-p', String(port)], { stdio: 'ignore' });
    client = new S3Client({ endpoint, forcePathStyle: true });
    const responds = () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      );
    await until(responds, { what: 'object storage', deadlineMs: 60_000 });
    const CreateBucketConfiguration = { LocationConstraint: 'eu-central-1' as const };
    for (const Bucket of ['plain', 'versioned'])
      await client.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration }));
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await client.send(
      new PutBucketVersioningCommand({ Bucket: 'versioned', VersioningConfiguration }),
    );
  }, 90_000);
  afterAll(() => {
    client.destroy();
    server.kill();
  });

  const keyOf = ({ orderId, sha256 }: ArtifactId): string => `evidence/${orderId}/${sha256}`;
  const environmentOf = (bucket: string) => ({
    ARTIFACTS_BUCKET: `s3://${bucket}/evidence`,
    ARTIFACTS_ENDPOINT: endpoint,
  });
  const versions = async (Bucket: string, id: ArtifactId) => {
    const command = new ListObjectVersionsCommand({ Bucket, Prefix: keyOf(id) });
    const { Versions = [], DeleteMarkers = [] } = await client.send(command);
    return [...Versions, ...DeleteMarkers].map(({ Key }) => Key);
  };

  describe.each(['plain', 'versioned'])('that is %s', (Bucket) => {
    conformsToArtifacts({
      environment: () => environmentOf(Bucket),
      stored: async (id) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(id) }));
        return Buffer.from(await Body!.transformToByteArray());
      },
      replace: (id, Body) => client.send(new PutObjectCommand({ Bucket, Key: keyOf(id), Body })),
    });
  });

  test('erasing removes all versions and delete markers, of this artifact alone', async () => {
    const artifacts = await artifactsWith(environmentOf('versioned'));
    const bytes = Buffer.from('evidence');
    const [id, other] = [idOf(bytes), idOf(bytes)];
    await artifacts.store(other, bytes);
    for (let n = 0; n < 3; n++) await artifacts.store(id, bytes);
    await client.send(new DeleteObjectCommand({ Bucket: 'versioned', Key: keyOf(id) }));
    const longer = `${keyOf(id)}.copy`;
    await client.send(new PutObjectCommand({ Bucket: 'versioned', Key: longer, Body: 'x' }));
    expect(await versions('versioned', id)).toHaveLength(5);
    await artifacts.erase(id);
    expect(await versions('versioned', id)).toEqual([longer]);
    expect(await artifacts.read(other)).toEqual(bytes);
    artifacts.close();
  });

  test('a bucket that does not exist is an error, not an absent artifact', async () => {
    const artifacts = await artifactsWith(environmentOf('missing'));
    const id = idOf(Buffer.of(1));
    await expect(artifacts.read(id)).rejects.toThrow('bucket does not exist');
    await expect(artifacts.store(id, Buffer.of(1))).rejects.toThrow('bucket does not exist');
    await expect(artifacts.erase(id)).rejects.toThrow('bucket does not exist');
    artifacts.close();
  });
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Starts object storage that responds as the listener does. Returns its URL. */
const storage = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
};

test('a failing request is sent three times, with the SHA-256 of the stored bytes', async () => {
  const checksums: unknown[] = [];
  const url = await storage(({ headers }, response) => {
    checksums.push(headers['x-amz-checksum-sha256']);
    response.writeHead(503).end();
  });
  const blobs = await openBucket('s3://bucket', url, { maxBytes: 1 });
  await expect(blobs.put('name', Buffer.of(1))).rejects.toThrow();
  expect(checksums).toEqual(
    Array.from({ length: 3 }, () => hash('sha256', Buffer.of(1), 'base64')),
  );
  blobs.close();
});

test('object storage that never responds, or stops within a response, is an error', async () => {
  const silent = await storage(() => {});
  const stopping = await storage((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x');
  });
  for (const [url, name] of [
    [silent, 'TimeoutError'],
    [stopping, 'AbortError'],
  ] as const) {
    const blobs = await openBucket('s3://bucket', url, { maxBytes: 100, requestMaxMs: 300 });
    await expect(blobs.get('name')).rejects.toMatchObject({ name });
    blobs.close();
  }
});

test('erasing versions that object storage does not delete ends with an error', async () => {
  const version = '<Version><Key>name</Key><VersionId>1</VersionId></Version>';
  let lists = 0;
  const url = await storage(({ method }, response) => {
    if (method === 'GET') lists++;
    response.end(method === 'GET' ? `<ListVersionsResult>${version}</ListVersionsResult>` : '');
  });
  const blobs = await openBucket('s3://bucket', url, { maxBytes: 1 });
  await expect(blobs.delete('name')).rejects.toThrow('artifact name still has versions');
  expect(lists).toBe(10);
  blobs.close();
});

test('a response within the deadline is read', async () => {
  const url = await storage((_, response) => void setTimeout(() => response.end('x'), 100));
  const blobs = await openBucket('s3://bucket', url, { maxBytes: 100, requestMaxMs: 3000 });
  expect(await blobs.get('name')).toEqual(Buffer.from('x'));
  blobs.close();
});

test.each(['bucket', 's3://', 's3://Bucket', 'https://bucket/x'])(
  'the bucket "%s" is rejected with the expected form',
  async (ARTIFACTS_BUCKET) => {
    await expect(artifactsWith({ ARTIFACTS_BUCKET })).rejects.toThrow(
      'ARTIFACTS_BUCKET: expected s3://bucket or s3://bucket/prefix',
    );
  },
);

test('a bucket without a region is rejected with the name of the setting', async () => {
  const { AWS_REGION } = process.env;
  delete process.env.AWS_REGION;
  try {
    await expect(artifactsWith({ ARTIFACTS_BUCKET: 's3://bucket' })).rejects.toThrow(
      'AWS_REGION is required with ARTIFACTS_BUCKET',
    );
  } finally {
    process.env.AWS_REGION = AWS_REGION;
  }
});
