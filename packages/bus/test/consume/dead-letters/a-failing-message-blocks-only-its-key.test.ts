import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { deadLetterHandlers, type IncomingMessage } from '../../../src/index.ts';
import { consumingService } from '../consuming-service.ts';

let service: Awaited<ReturnType<typeof consumingService>>;
beforeEach(async () => {
  service = await consumingService();
});
afterEach(() => service.stop());

const textOf = ({ value }: Pick<IncomingMessage, 'value'>) => Buffer.from(value).toString();
const consumed = () =>
  until(async () => (await service.bus.lag(service.group, service.topic)) === 0, {
    what: 'all to be consumed',
  });
const poison = async (message: IncomingMessage) => {
  if (textOf(message).startsWith('bad')) {
    throw new Failure('VALIDATION', 'It is bad, says svc_live_abc123.');
  }
};
const page = { limit: 10 };

test('it is parked with its reason, later ones of its key behind it, other keys go on', async () => {
  const { bus, message, effects } = service;
  const consumer = await service.start(poison);
  await bus.publish([
    message('k', '1'),
    message('k', 'bad'),
    message('other', '1'),
    message('k', '2'),
  ]);
  await consumed();
  await bus.publish([message('k', '3'), message('other', '2')]);
  await consumed();
  expect(await effects('k')).toEqual(['1']);
  expect(await effects('other')).toEqual(['1', '2']);
  const parked = await consumer.list(page);
  expect(parked.map(({ reason }) => reason)).toEqual([
    'VALIDATION: It is bad, says svc_live_***.',
    `behind ${parked[0]!.id}`,
    `behind ${parked[0]!.id}`,
  ]);
  expect(parked[0]!.parkedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const metrics = await service.telemetry.metrics.metrics();
  expect(metrics).toMatch(/bus_dead_letters\{[^}]*\} 3/);
  expect(service.log.join()).not.toContain('abc123');
  await consumer.stop();
});

test('a copy of it with its reason stands in the topic for dead letters', async () => {
  const { bus, topic, message } = service;
  const consumer = await service.start(poison);
  const copies: IncomingMessage[] = [];
  const subscription = await bus.subscribe({
    group: 'copies',
    topic: `${topic}.dlq`,
    handle: async (batch) => {
      copies.push(...batch);
    },
  });
  const bad = message('k', 'bad');
  await bus.publish([bad, message('k', '2')]);
  await until(() => copies.length === 2, { what: 'two copies' });
  expect(copies[0]).toMatchObject({ id: bad.id, key: 'k', type: bad.type });
  expect(textOf(copies[0]!)).toBe('bad');
  expect(copies[0]!.reason).toContain('VALIDATION: It is bad');
  expect(copies[1]!.reason).toMatch(/^behind /);
  await subscription.stop();
  await consumer.stop();
});

test('a replay handles it and those behind it, in order, and the key goes on', async () => {
  const { bus, message, effects } = service;
  let fixed = false;
  const consumer = await service.start(async (m) => {
    if (!fixed) await poison(m);
  });
  // twelve, so that offsets have one and two digits
  const values = ['bad', ...Array.from({ length: 12 }, (_, n) => `${n}`)];
  await bus.publish([...values.map((value) => message('k', value)), message('other', 'bad')]);
  await consumed();
  const parked = await consumer.list({ limit: 100 });
  const [first, second] = parked;
  const rpc = deadLetterHandlers(consumer);
  await expect(consumer.replay(second!.id)).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
    details: { first: first!.id },
  });
  const again = await consumer.replay(first!.id);
  expect(again).toMatchObject({ replayedIds: [], failedId: first!.id });
  fixed = true;
  const request = { id: first!.id, $typeName: 'bus.v1.ReplayDeadLetterRequest' as const };
  const { replayedIds, failedId } = await rpc.replayDeadLetter(request);
  const ofKey = parked.filter(({ key }) => key === 'k').map(({ id }) => id);
  expect({ replayedIds, failedId }).toEqual({ replayedIds: ofKey, failedId: '' });
  expect(await effects('k')).toEqual(values);
  await bus.publish([message('k', 'after')]);
  await consumed();
  expect(await effects('k')).toEqual([...values, 'after']);
  await expect(rpc.replayDeadLetter(request)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  const left = await rpc.listDeadLetters({
    topic: '',
    afterId: '',
    $typeName: 'bus.v1.ListDeadLettersRequest',
  });
  expect(left.deadLetters?.map(({ key }) => key)).toEqual(['other']);
  expect(left.nextId).toBe('');
  await consumer.stop();
});

test('a replay stops at the next one that fails, which is then the first', async () => {
  const { bus, message, effects } = service;
  let fixed = false;
  const consumer = await service.start(async (m) => {
    if (!fixed || textOf(m) !== 'bad 1') await poison(m);
  });
  await bus.publish(['bad 1', '2', 'bad 3', '4'].map((value) => message('k', value)));
  await consumed();
  const parked = await consumer.list(page);
  fixed = true;
  const replay = await consumer.replay(parked[0]!.id);
  expect(replay.replayedIds).toEqual([parked[0]!.id, parked[1]!.id]);
  expect(replay.failedId).toBe(parked[2]!.id);
  expect(replay.reason).toContain('VALIDATION');
  expect(await effects()).toEqual(['bad 1', '2']);
  const left = await consumer.list(page);
  expect(left.map(({ id }) => id)).toEqual([parked[2]!.id, parked[3]!.id]);
  expect(left[0]!.reason).toContain('VALIDATION');
  await consumer.stop();
});

test('a parked message that is delivered again is parked once and handled once', async () => {
  const { bus, message, effects, db, busSettings, group, topic } = service;
  let fixed = false;
  const consumer = await service.start(async (m) => {
    if (!fixed) await poison(m);
  });
  await bus.publish([message('k', 'bad'), message('k', '2')]);
  await consumed();
  await consumer.stop();
  await rewind(busSettings.busDatabaseUrl, group, topic);
  const again = await service.start();
  await consumed();
  const parked = await again.list(page);
  expect(parked).toHaveLength(2);
  fixed = true;
  await again.replay(parked[0]!.id);
  await again.stop();
  await rewind(busSettings.busDatabaseUrl, group, topic);
  const third = await service.start();
  await consumed();
  expect(await effects()).toEqual(['bad', '2']);
  expect(await db.query('select 1 from dead_letters where replayed_at is null')).toEqual([]);
  await third.stop();
});

test('a message whose event id is no UUID is parked and holds up nobody else', async () => {
  const { bus, message, effects } = service;
  const consumer = await service.start();
  await bus.publish([message('k', '1', 'no-uuid'), message('other', '2')]);
  await consumed();
  expect(await effects()).toEqual(['2']);
  expect((await consumer.list(page))[0]).toMatchObject({ eventId: 'no-uuid', key: 'k' });
  await consumer.stop();
});

/** As if no offset had ever been committed. */
const rewind = async (url: string, group: string, topic: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `update subscription_offsets set next_offset = 0 where subscription =
      (select id from subscriptions where consumer_group = $1 and topic = $2)`,
    [group, topic],
  );
  await client.end();
};
