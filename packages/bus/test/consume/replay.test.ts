import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import type { Consumer, IncomingMessage } from '../../src/index.ts';
import { consumingService } from '../consuming-service.ts';

let service: Awaited<ReturnType<typeof consumingService>>;
let consumer: Consumer;
let mayPass: boolean;
beforeEach(async () => {
  service = await consumingService();
  mayPass = false;
  consumer = await service.start(async ({ value }: IncomingMessage) => {
    if (!mayPass && Buffer.from(value).toString().startsWith('bad')) throw new Error('bad');
  });
});
afterEach(async () => {
  await consumer.stop();
  await service.stop();
});

const consumed = () =>
  until(async () => (await service.bus.lag(service.group, service.topic)) === 0, {
    what: 'all to be consumed',
  });

test('an event that is parked twice has one effect when both are replayed', async () => {
  const { bus, message, effects } = service;
  const twice = message('k', 'twice');
  await bus.publish([message('k', 'bad'), twice]);
  await bus.publish([twice]);
  await consumed();
  const parked = await consumer.list({ limit: 10 });
  mayPass = true;
  const { replayedIds } = await consumer.replay(parked[0]!.id);
  expect(replayedIds).toEqual(parked.map(({ id }) => id));
  expect(await effects()).toEqual(['bad', 'twice']);
});

test('a message that comes while the last parked one is replayed waits and is handled', async () => {
  const { bus, message, effects, database } = service;
  await bus.publish([message('k', 'bad')]);
  await consumed();
  const [parked] = await consumer.list({ limit: 10 });
  mayPass = true;
  const blocker = new Client({ connectionString: database.ownerUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table effects in access exclusive mode'); // the replay stops here
  const waitsFor = (kind: string, what: string) =>
    until(
      async () =>
        (
          await blocker.query(
            `select from pg_locks l join pg_database d on d.oid = l.database
            where d.datname = current_database() and not granted and locktype = $1`,
            [kind],
          )
        ).rowCount === 1,
      { what, deadlineMs: 2500 },
    );
  const replay = consumer.replay(parked!.id);
  await waitsFor('relation', 'the replay');
  await bus.publish([message('k', '2')]);
  await waitsFor('advisory', 'the message to wait for the replay').finally(async () => {
    await blocker.query('commit');
    await blocker.end();
    await replay;
  });
  await consumed();
  expect(await effects()).toEqual(['bad', '2']);
  expect(await consumer.list({ limit: 10 })).toEqual([]);
});
