import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import {
  type ArtifactId,
  type Artifacts,
  artifactMaxBytes,
  artifactSettings,
  openArtifacts,
} from '../../src/index.ts';

export const testKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

export const artifactsWith = async (environment: Record<string, string>): Promise<Artifacts> =>
  openArtifacts(
    readConfig(artifactSettings, { ARTIFACTS_KEYS: testKeys, ...environment }).settings,
  );

export const idOf = (bytes: Uint8Array): ArtifactId => ({
  orderId: randomUUID(),
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** A store under test: its configuration and its stored bytes. */
export interface StoreUnderTest {
  readonly environment: () => Record<string, string>;
  /** Returns the stored bytes of an artifact. */
  readonly stored: (id: ArtifactId) => Promise<Buffer>;
  /** Replaces the stored bytes of an artifact. */
  readonly replace: (id: ArtifactId, bytes: Uint8Array) => Promise<unknown>;
}

/** Declares the tests that every store of artifacts passes. */
export const conformsToArtifacts = ({ environment, stored, replace }: StoreUnderTest): void => {
  const open = (more: Record<string, string> = {}) => artifactsWith({ ...environment(), ...more });
  const bytes = randomBytes(1000);

  test('returns the bytes of an artifact until it is erased', async () => {
    const [artifacts, other] = [await open(), await open()];
    const id = idOf(bytes);
    expect(await artifacts.read(id)).toBeNull();
    await artifacts.store(id, bytes);
    await artifacts.store(id, bytes);
    expect(await other.read(id)).toEqual(bytes);
    await artifacts.erase(id);
    await artifacts.erase(id);
    expect(await other.read(id)).toBeNull();
    for (const each of [artifacts, other]) each.close();
  });

  test('erases an artifact of one order alone', async () => {
    const artifacts = await open();
    const [one, other] = [idOf(bytes), idOf(bytes)];
    for (const id of [one, other]) await artifacts.store(id, bytes);
    await artifacts.erase(one);
    expect(await artifacts.read(one)).toBeNull();
    expect(await artifacts.read(other)).toEqual(bytes);
    artifacts.close();
  });

  test('stores and reads at most 5 MiB', async () => {
    const longId = `${'k'.repeat(32)}:${Buffer.alloc(32, 3).toString('base64')}`;
    const artifacts = await open({ ARTIFACTS_KEYS: longId });
    const largest = randomBytes(artifactMaxBytes);
    const id = idOf(largest);
    await artifacts.store(id, largest);
    expect((await artifacts.read(id))?.equals(largest)).toBe(true);
    const more = Buffer.concat([largest, Buffer.of(1)]);
    await expect(artifacts.store(idOf(more), more)).rejects.toThrow('has 5242881 bytes');
    await replace(id, Buffer.concat([await stored(id), Buffer.of(1)]));
    await expect(artifacts.read(id)).rejects.toThrow('has 5242943 bytes, at most 5242942');
    artifacts.close();
  });

  test('stores no byte of an artifact in plain', async () => {
    const artifacts = await open();
    const text = Buffer.from('received by the ward '.repeat(10));
    const id = idOf(text);
    await artifacts.store(id, text);
    expect((await stored(id)).includes('ward')).toBe(false);
    artifacts.close();
  });

  test('rejects stored bytes that were changed or belong to another artifact', async () => {
    const artifacts = await open();
    const [id, other] = [idOf(bytes), idOf(bytes)];
    for (const each of [id, other]) await artifacts.store(each, bytes);
    const envelope = await stored(id);
    await replace(id, await stored(other));
    await expect(artifacts.read(id)).rejects.toThrow('its stored bytes were changed');
    for (const at of [0, 1, 2, 10, 25, envelope.length - 1]) {
      const changed = Buffer.from(envelope);
      changed[at]! ^= 1;
      await replace(id, changed);
      await expect(artifacts.read(id)).rejects.toThrow(`artifact ${id.orderId}/${id.sha256}`);
    }
    for (const length of [0, 1, 4, 31, envelope.length - 1]) {
      await replace(id, envelope.subarray(0, length));
      await expect(artifacts.read(id)).rejects.toThrow(`artifact ${id.orderId}/${id.sha256}`);
    }
    await replace(id, envelope);
    expect(await artifacts.read(id)).toEqual(bytes);
    artifacts.close();
  });

  test('reads with an older key of the ring, and names the setting that lacks a key', async () => {
    const second = `k2:${Buffer.alloc(32, 2).toString('base64')}`;
    const [artifacts, rotated] = [
      await open(),
      await open({ ARTIFACTS_KEYS: `${second},${testKeys}` }),
    ];
    const id = idOf(bytes);
    await artifacts.store(id, bytes);
    expect(await rotated.read(id)).toEqual(bytes);
    await rotated.store(id, bytes);
    await expect(artifacts.read(id)).rejects.toThrow('its key is not in ARTIFACTS_KEYS');
    for (const each of [artifacts, rotated]) each.close();
  });
};
