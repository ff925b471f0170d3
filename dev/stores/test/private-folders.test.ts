import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startStores } from '../src/start-stores.ts';
import { privateFolder } from './run-program.ts';

let folder: ReturnType<typeof privateFolder>;
beforeEach(() => {
  folder = privateFolder();
});
afterEach(() => folder.remove());

test('only this user may enter the folders of the stores, also where others could before', async () => {
  for (const name of ['logs', 'redis', 'kafka']) {
    mkdirSync(join(folder.dir, name));
    chmodSync(join(folder.dir, name), 0o755);
  }
  const stores = await startStores({
    dir: folder.dir,
    want: { postgres: undefined, redis: undefined, kafka: undefined },
    onProgress: () => {},
  });
  const started = ['logs', ...(stores.redis ? ['redis'] : []), ...(stores.kafka ? ['kafka'] : [])];
  const modes = started.map((name) => [name, statSync(join(folder.dir, name)).mode & 0o777]);
  await stores.stop();
  expect(modes).toEqual(started.map((name) => [name, 0o700]));
});
