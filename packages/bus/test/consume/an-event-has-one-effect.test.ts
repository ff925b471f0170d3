import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { currentRequestId } from '@pto/telemetry';
import { until } from '@pto/testing';
import { consumingService } from './consuming-service.ts';
import { startConsumer } from './start-consumer.ts';

let service: Awaited<ReturnType<typeof consumingService>>;
beforeEach(async () => {
  service = await consumingService();
});
afterEach(() => service.stop());

test('an event that is published twice has one effect', async () => {
  const { bus, group, topic, message, effects } = service;
  const consumer = await service.start();
  const id = uuidv7();
  await bus.publish([message('k', 'a', id), message('k', 'a', id)]);
  await bus.publish([message('k', 'a', id), message('k', 'b')]);
  await until(async () => (await bus.lag(group, topic)) === 0, { what: 'all to be consumed' });
  expect(await effects()).toEqual(['a', 'b']);
  await consumer.stop();
});

test('an event whose offset was not committed before the process died has one effect', async () => {
  const { bus, group, topic, message, effects } = service;
  await bus.publish([message('k', 'a'), message('k', 'b')]);
  const dies = await startConsumer(service);
  await dies.ended; // it kills itself after its transactions, before the offsets
  expect(await effects()).toEqual(['a', 'b']);
  expect(await bus.lag(group, topic)).toBe(2);
  const consumer = await service.start();
  await bus.publish([message('k', 'c')]);
  await until(async () => (await bus.lag(group, topic)) === 0, { what: 'all to be consumed' });
  expect(await effects()).toEqual(['a', 'b', 'c']);
  await consumer.stop();
});

test('an effect that fails half-way is undone, and takes place once when tried again', async () => {
  const { bus, message, effects } = service;
  let tries = 0;
  const consumer = await service.start(async ({ id }, tx) => {
    await tx.query(`insert into effects (event_id, value) values ($1, 'half')`, [id]);
    if (++tries <= 2) throw new Error('not yet');
  });
  await bus.publish([message('k', 'a')]);
  await until(async () => (await effects()).length > 0, { what: 'the effect' });
  expect(await effects()).toEqual(['half', 'a']);
  await consumer.stop();
});

test('several messages share a call, in one transaction with their inbox', async () => {
  const { bus, message, effects, group, topic } = service;
  await bus.publish(['a', 'b', 'c'].map((value) => message(value, value)));
  const consumer = await service.start(undefined, {
    handle: async (messages, tx) => {
      const values = messages.map(({ value }) => Buffer.from(value).toString());
      await tx.query('insert into effects (value) values ($1)', [values.join('+')]);
    },
  });
  await until(async () => (await bus.lag(group, topic)) === 0, { what: 'all to be consumed' });
  expect(await effects()).toEqual(['a+b+c']);
  await consumer.stop();
});

test('a message that is handled in a call of its own has the id of its request', async () => {
  const { bus, message } = service;
  const seen: (string | undefined)[] = [];
  const consumer = await service.start(undefined, {
    batchMax: 1,
    handle: async () => {
      seen.push(currentRequestId());
    },
  });
  await bus.publish([{ ...message('k', 'a'), requestId: 'request-7' }, message('k', 'b')]);
  await until(() => seen.length === 2, { what: 'both messages' });
  expect(seen).toEqual(['request-7', undefined]);
  const shows = async (metric: RegExp) => metric.test(await service.telemetry.metrics.metrics());
  const handled = /bus_messages_total\{[^}]*outcome="handled"[^}]*\} 2/;
  await until(() => shows(handled), { what: 'two handled messages in the metrics' });
  await until(() => shows(/bus_consumer_lag\{[^}]*\} 0/), { what: 'no lag in the metrics' });
  await consumer.stop();
});

test('a message whose first attempt failed is handled alone', async () => {
  const { bus, message } = service;
  await bus.publish([message('k', 'a'), message('k', 'b')]);
  const handled: string[] = [];
  const consumer = await service.start(undefined, {
    handle: async (messages, _, isAlone) => {
      if (!isAlone) throw new Error('not in a batch');
      handled.push(messages.map(({ value }) => Buffer.from(value).toString()).join());
    },
  });
  await service.consumed();
  expect(handled).toEqual(['a', 'b']);
  await consumer.stop();
});

test('no message has an effect, nor is parked, while the guard throws', async () => {
  const { bus, message, effects } = service;
  let calls = 0;
  const consumer = await service.start(undefined, {
    guard: async (sql) => {
      const [row] = await sql.query<{ open: boolean }>('select $1::int > 3 as open', [++calls]);
      if (!row!.open) throw new Failure('SERVICE_UNAVAILABLE', 'not yet');
    },
  });
  await bus.publish([message('k', 'a')]);
  await service.consumed();
  expect(await effects()).toEqual(['a']);
  expect(calls).toBe(4);
  expect(await consumer.list({ limit: 10 })).toEqual([]);
  await consumer.stop();
});
