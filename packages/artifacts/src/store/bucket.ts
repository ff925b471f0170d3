import { addAbortSignal, type Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ConfigError } from '@pto/config';
import type { BlobStore } from './blob-store.ts';

const connectMaxMs = 5000;
/** Maximum number of pages of 1000 versions that one call deletes. */
const pagesMax = 10;

interface Limits {
  /** Maximum size of an object. */
  readonly maxBytes: number;
  /** Maximum time of a request, and then of reading its response; 30 s by default. */
  readonly requestMaxMs?: number;
}

/**
 * Opens a store in a bucket, one object per name. Requests are repeated up to two times.
 * @param endpoint URL of object storage other than AWS, or empty.
 * @throws ConfigError for a malformed bucket, or without a region.
 */
export const openBucket = async (
  address: string,
  endpoint: string,
  { maxBytes, requestMaxMs = 30_000 }: Limits,
): Promise<BlobStore> => {
  const { Bucket, prefix } = locate(address);
  const client = new S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectMaxMs,
      requestTimeout: requestMaxMs,
      // without it, a request that takes longer is logged only
      throwOnRequestTimeout: true,
    },
  });
  await client.config.region().catch(() => {
    throw new ConfigError(['AWS_REGION is required with ARTIFACTS_BUCKET']);
  });
  const keyOf = (name: string): string => `${prefix}${name}`;
  /** Returns all versions and delete markers of a key, up to 1000. */
  const versionsOf = async (Key: string) => {
    const command = new ListObjectVersionsCommand({ Bucket, Prefix: Key });
    const { Versions = [], DeleteMarkers = [] } = await client.send(command);
    return [...Versions, ...DeleteMarkers].filter((version) => version.Key === Key);
  };
  return {
    put: async (name, Body) => {
      const ContentType = 'application/octet-stream';
      const object = { Bucket, Key: keyOf(name), Body, ContentType };
      await client.send(new PutObjectCommand({ ...object, ChecksumAlgorithm: 'SHA256' }));
    },
    get: async (name) => {
      const command = new GetObjectCommand({ Bucket, Key: keyOf(name), ChecksumMode: 'ENABLED' });
      try {
        const { Body, ContentLength = 0 } = await client.send(command);
        // the deadline of the request ends with its headers
        const body = addAbortSignal(AbortSignal.timeout(requestMaxMs), Body as Readable);
        return await readAtMost(body, ContentLength, maxBytes);
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return null;
        throw error;
      }
    },
    delete: async (name) => {
      const Key = keyOf(name);
      for (let page = 0; page < pagesMax; page++) {
        const versions = await versionsOf(Key);
        if (versions.length === 0) return;
        for (const { VersionId } of versions)
          await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
      }
      throw new Error(`artifact ${name} still has versions after ${pagesMax} pages were deleted`);
    },
    close: () => client.destroy(),
  };
};

const locate = (address: string): { Bucket: string; prefix: string } => {
  const [, Bucket, path] = /^s3:\/\/([a-z0-9.-]{3,63})(?:\/(.*?))?\/?$/.exec(address) ?? [];
  if (Bucket === undefined)
    throw new ConfigError(['ARTIFACTS_BUCKET: expected s3://bucket or s3://bucket/prefix']);
  return { Bucket, prefix: path ? `${path}/` : '' };
};

const readAtMost = async (body: Readable, length: number, maxBytes: number): Promise<Buffer> => {
  if (length > maxBytes) {
    body.destroy();
    throw new Error(`the stored object has ${length} bytes, at most ${maxBytes}`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};
