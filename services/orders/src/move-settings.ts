import { randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tagOf } from '@pto/moves';
import type { OrdersSettings } from './config.ts';

/**
 * Returns the settings that the orders services of two cells must share when an organization moves,
 * as tags, and how long this one stores responses (docs/operators/growth.md).
 */
export const moveSettings = async (settings: OrdersSettings) => ({
  ORDERS_CURSOR_KEY: settings.cursorKeys.map(tagOf),
  ARTIFACTS_KEYS: settings.artifactsKeys.keys.map(({ id, key }) =>
    tagOf(Buffer.concat([Buffer.from(`${id}:`), key.export()])),
  ),
  'ARTIFACTS_DIR or ARTIFACTS_BUCKET': [tagOf(await storeOf(settings))],
  ORDERS_IDEMPOTENCY_KEEP: [`${settings.idempotencyKeepMs}`],
});

/** Returns what names the store of artifacts: two folders may have the same path in two cells. */
const storeOf = async (settings: OrdersSettings): Promise<string> => {
  const { artifactsDir, artifactsBucket, artifactsEndpoint } = settings;
  if (artifactsBucket !== '') return `${artifactsEndpoint} ${artifactsBucket}`;
  const path = join(artifactsDir, '.store-id');
  const own = `${path}-${randomUUID()}`;
  await writeFile(own, randomUUID());
  try {
    // of several processes that start at once, one names the folder, and none reads half a name
    await link(own, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(own);
  }
  return readFile(path, 'utf8');
};
