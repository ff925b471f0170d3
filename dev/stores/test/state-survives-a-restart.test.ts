import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { type Stores, startStores } from '../src/start-stores.ts';
import { privateFolder } from './run-program.ts';

let folder: ReturnType<typeof privateFolder>;
beforeEach(() => {
  folder = privateFolder();
});
afterEach(() => folder.remove());

const start = () =>
  startStores({
    dir: folder.dir,
    want: { postgres: undefined, redis: undefined, kafka: undefined },
    onProgress: () => {},
  });

const query = async (stores: Stores, statement: string) => {
  const client = new Client({ connectionString: stores.postgres.url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

const clusterId = () =>
  /cluster.id=(.*)/.exec(readFileSync(join(folder.dir, 'kafka', 'meta.properties'), 'utf8'))?.[1];

test('rows and the Kafka cluster outlive a stop, though every port changes', async () => {
  const first = await start();
  await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const id = first.kafka && clusterId();
  await first.stop();
  await first.stop();

  const second = await start();
  expect(second.postgres.url).not.toBe(first.postgres.url);
  expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  expect(second.kafka && clusterId()).toBe(id);
  await second.stop();
});
