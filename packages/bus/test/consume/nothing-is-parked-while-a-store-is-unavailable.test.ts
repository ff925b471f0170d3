import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { stores, until } from '@pto/testing';
import { Client } from 'pg';
import { consumingService } from './consuming-service.ts';

let service: Awaited<ReturnType<typeof consumingService>>;
beforeEach(async () => {
  service = await consumingService();
});
afterEach(() => service.stop());

const asSuperuser = async (...statements: string[]) => {
  const client = new Client({ connectionString: stores().postgres });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
};

test('after an outage of the database everything is handled, in order', async () => {
  const { bus, message, effects, database, log } = service;
  const consumer = await service.start();
  await bus.publish([message('k', '1')]);
  await until(async () => (await effects()).length === 1, { what: 'the first effect' });
  await asSuperuser(
    `alter database ${database.name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`,
  );
  await bus.publish([message('k', '2'), message('k', '3')]);
  const refusals = () =>
    log.filter((line) => line.includes('batch failed, will be retried')).length;
  await until(() => refusals() >= 3, { what: 'refusals' });
  await asSuperuser(`alter database ${database.name} with allow_connections true`);
  await until(async () => (await effects()).length === 3, { what: 'the rest' });
  expect(await effects()).toEqual(['1', '2', '3']);
  expect(await consumer.list({ limit: 10 })).toEqual([]);
  await consumer.stop();
});

test('a retryable failure of something else is waited out as well', async () => {
  const { bus, message, effects } = service;
  let failures = 4;
  const consumer = await service.start(async () => {
    if (failures-- > 0) throw new Failure('GEOCODER_UNAVAILABLE', 'It is unavailable.');
  });
  await bus.publish([message('k', '1'), message('k', '2')]);
  await until(async () => (await effects()).length === 2, { what: 'both' });
  expect(await effects()).toEqual(['1', '2']);
  expect(await consumer.list({ limit: 10 })).toEqual([]);
  await consumer.stop();
});
