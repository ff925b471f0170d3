import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '@pto/config';
import { sealingKeys } from '@pto/sealing';
import { fromEnvelope, toEnvelope } from '../../src/store/envelope.ts';
import { artifactsWith, idOf, testKeys } from './conformance.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'artifacts-'));
});
afterAll(() => rm(dir, { recursive: true }));

test('exactly one of folder and bucket must be configured', async () => {
  const both = { ARTIFACTS_DIR: dir, ARTIFACTS_BUCKET: 's3://bucket' };
  for (const environment of [{}, both])
    await expect(artifactsWith(environment)).rejects.toThrow(
      new ConfigError(['ARTIFACTS_DIR or ARTIFACTS_BUCKET: give one of the two']),
    );
});

test('keys are required', async () => {
  await expect(artifactsWith({ ARTIFACTS_DIR: dir, ARTIFACTS_KEYS: '' })).rejects.toThrow(
    'ARTIFACTS_KEYS is required',
  );
});

test('a folder that cannot be written is rejected with its path', async () => {
  const file = join(dir, 'file');
  await writeFile(file, '');
  await expect(artifactsWith({ ARTIFACTS_DIR: file })).rejects.toThrow(
    `ARTIFACTS_DIR: ${file} is not a writable folder: ENOTDIR`,
  );
});

test('an id that is no lowercase UUID and SHA-256 reaches no store', async () => {
  const artifacts = await artifactsWith({ ARTIFACTS_DIR: dir });
  const bytes = Buffer.of(1);
  const { orderId, sha256 } = idOf(bytes);
  for (const id of [
    { orderId: '../../../../etc', sha256 },
    { orderId: `${orderId}/..`, sha256 },
    { orderId: orderId.toUpperCase(), sha256 },
    { orderId: `${orderId}\n`, sha256 },
    { orderId, sha256: '../passwd' },
    { orderId, sha256: sha256.toUpperCase() },
    { orderId, sha256: `${sha256}0` },
  ]) {
    await expect(artifacts.store(id, bytes)).rejects.toThrow('of an artifact is no lowercase');
    await expect(artifacts.read(id)).rejects.toThrow('of an artifact is no lowercase');
    await expect(artifacts.erase(id)).rejects.toThrow('of an artifact is no lowercase');
  }
});

test('an artifact whose bytes have another SHA-256 than its name is not returned', () => {
  const { keys } = readConfig({ keys: sealingKeys('KEYS') }, { KEYS: testKeys }).settings;
  const [bytes, sha256] = [Buffer.of(1), idOf(Buffer.of(1)).sha256];
  const envelope = toEnvelope(keys, 'name', bytes);
  expect(fromEnvelope(keys, 'name', { envelope, sha256 })).toEqual(bytes);
  expect(() => fromEnvelope(keys, 'name', { envelope, sha256: idOf(Buffer.of(2)).sha256 })).toThrow(
    'artifact name has another SHA-256 than its name',
  );
});

test('bytes with another SHA-256 than their id are not stored', async () => {
  const artifacts = await artifactsWith({ ARTIFACTS_DIR: dir });
  const id = idOf(Buffer.of(1));
  await expect(artifacts.store(id, Buffer.of(2))).rejects.toThrow('another SHA-256 than its id');
  expect(await artifacts.read(id)).toBeNull();
});
