import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { OrdersSettings } from '../../src/config.ts';
import { moveSettings } from '../../src/move-settings.ts';

test('processes that start at once name their folder of artifacts alike', async () => {
  const artifactsDir = await mkdtemp(join(tmpdir(), 'pto-artifacts-'));
  const settings = {
    ...{ artifactsDir, artifactsBucket: '', artifactsEndpoint: '', cursorKeys: [] },
    ...{ artifactsKeys: { keys: [] }, idempotencyKeepMs: 1 },
  } as unknown as OrdersSettings;
  const all = await Promise.all(Array.from({ length: 50 }, () => moveSettings(settings)));
  const names = new Set(all.flatMap((one) => one['ARTIFACTS_DIR or ARTIFACTS_BUCKET']));
  expect(names.size).toBe(1);
  expect(await readdir(artifactsDir)).toEqual(['.store-id']);
  await rm(artifactsDir, { recursive: true });
});
