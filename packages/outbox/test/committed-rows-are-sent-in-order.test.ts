import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '@pto/bus';
import { Failure } from '@pto/errors';
import { withRequestId } from '@pto/telemetry';
import { until } from '@pto/testing';
import { addToOutbox } from '../src/index.ts';
import { sendingService } from './sending-service.ts';
import { startRelayProcess } from './start-relay-process.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
beforeEach(async () => {
  service = await sendingService();
});
afterEach(() => service.stop());

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);
const keys = upTo(12).map((n) => `key ${n}`);

test('a row whose transaction commits late is sent, after rows written later', async () => {
  const { db, message, add, numbers } = service;
  const relay = service.relay();
  const { promise: later, resolve: commit } = Promise.withResolvers<void>();
  const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
  const late = db.transaction(async (tx) => {
    await addToOutbox(tx, [message('a', 1)]);
    wrote();
    await later;
  });
  await written;
  await add([message('a', 2), message('b', 1)]);
  await until(() => numbers('a').includes(2), { what: 'the row that was written later' });
  commit();
  await late;
  await until(() => numbers('a').includes(1), { what: 'the row that was committed late' });
  await until(async () => (await service.depth()) === 0, { what: 'an empty outbox' });
  await relay.stop();
});

test('what is rolled back is not sent', async () => {
  const { db, message, add, arrived, numbers } = service;
  const relay = service.relay();
  const failed = db.transaction(async (tx) => {
    await addToOutbox(tx, [message('a', 1)]);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await add([message('a', 2)]);
  await until(() => numbers('a').includes(2), { what: 'the committed row' });
  expect(arrived).toHaveLength(1);
  await relay.stop();
});

test('a row carries the id of the request that wrote it', async () => {
  const { add, message, arrived } = service;
  const relay = service.relay();
  await withRequestId('request-9', () => add([message('a', 1)]));
  relay.wake();
  await until(() => arrived.length === 1, { what: 'the row' });
  expect(arrived[0]).toMatchObject({ requestId: 'request-9', type: 'numbered', key: 'a' });
  await relay.stop();
});

test('rows wait for an unavailable bus and are sent in order when it is back', async () => {
  const { bus, message, add, numbers, telemetry } = service;
  let failures = 0;
  const flaky = {
    publish: async (messages: readonly OutgoingMessage[]) => {
      // sometimes refused, sometimes kept although the answer was lost
      if (failures < 8) {
        failures++;
        if (failures % 2 === 0) await bus.publish(messages);
        throw new Failure('SERVICE_UNAVAILABLE', 'The bus is unavailable.');
      }
      await bus.publish(messages);
    },
  };
  const relay = service.relay(flaky);
  for (const n of upTo(5)) await add(keys.map((key) => message(key, n)));
  const waiting = await telemetry.metrics.getSingleMetricAsString('outbox_unsent');
  expect(waiting).toMatch(/outbox_unsent\{[^}]*\} [1-9]/);
  await until(async () => (await service.depth()) === 0, { what: 'all sent' });
  await until(() => keys.every((key) => numbers(key).length === 5), { what: 'all arrived' });
  for (const key of keys) expect(numbers(key)).toEqual(upTo(5));
  await relay.stop();
});

test('a relay goes on in order when the one that sends is killed, and loses nothing', async () => {
  const { message, add, numbers } = service;
  const victim = await startRelayProcess(service);
  let n = 0;
  const addNext = async () => {
    for (let i = 0; i < 5; i++, n++) await add(keys.map((key) => message(key, n)));
  };
  await addNext();
  await until(() => numbers(keys[0]!).length > 0, { what: 'rows of the process' });
  const relay = service.relay();
  try {
    for (let i = 0; i < 10; i++) await addNext();
  } finally {
    await victim.kill();
  }
  for (let i = 0; i < 10; i++) await addNext();
  await until(() => keys.every((key) => numbers(key).length === n), { what: 'every row' });
  for (const key of keys) expect(numbers(key)).toEqual(upTo(n));
  await relay.stop();
});

test('a relay that loses its connection goes on with another', async () => {
  const { message, add, numbers, db } = service;
  const relay = service.relay();
  await add([message('a', 0)]);
  await until(() => numbers('a').length === 1, { what: 'the first row' });
  await db.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`,
  );
  await add([message('a', 1)]);
  await until(() => numbers('a').length === 2, { what: 'the second row' });
  await relay.stop();
});
