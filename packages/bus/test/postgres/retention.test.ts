import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Sql, uuidv7 } from '@pto/database';
import { uniqueName, until } from '@pto/testing';
import { Pool } from 'pg';
import type { Bus, BusSettings } from '../../src/index.ts';
import { sweepMessages } from '../../src/postgres/postgres-bus.ts';
import { openTestBus } from '../open-test-bus.ts';
import { postgresBusSettings } from './postgres-bus-settings.ts';

let settings: BusSettings;
let bus: Bus;
let pool: Pool;
beforeAll(async () => {
  settings = await postgresBusSettings();
  bus = await openTestBus(settings);
  pool = new Pool({ connectionString: settings.busDatabaseUrl });
});
afterAll(async () => {
  await bus.close();
  await pool.end();
});

const day = 86_400_000;
const sql: Sql = {
  query: async (text, values = []) => (await pool.query(text, [...values])).rows as never,
};

test('neither a young message is swept nor one that a group still needs', async () => {
  const topic = uniqueName('topic');
  await bus.ensureTopics([{ name: topic, partitions: 2 }]);
  const messages = Array.from({ length: 1500 }, (_, n) => ({
    topic,
    key: `key ${n}`,
    id: uuidv7(),
    type: 'numbered',
    value: new Uint8Array(1),
  }));
  await bus.publish(messages);
  const handle = async () => {};
  const quick = await bus.subscribe({ group: 'quick', topic, handle });
  const slow = await bus.subscribe({
    group: 'slow',
    topic,
    handle: async () => {
      throw new Error('later');
    },
  });
  const doneBy = (group: string) =>
    until(async () => (await bus.lag(group, topic)) === 0, { what: `all at ${group}` });
  await doneBy('quick');
  await pool.query(`update messages set published_at = now() - interval '8 days'`);
  expect(await sweepMessages(sql, 7 * day)).toBe(0);
  await slow.stop();
  const fixed = await bus.subscribe({ group: 'slow', topic, handle });
  await doneBy('slow');
  await bus.publish(messages.slice(0, 10));
  await doneBy('slow');
  expect(await sweepMessages(sql, 7 * day)).toBe(1500);
  expect((await pool.query('select 1 from messages')).rowCount).toBe(10);
  await Promise.all([quick.stop(), fixed.stop()]);
});
