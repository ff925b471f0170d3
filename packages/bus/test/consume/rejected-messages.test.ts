import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import type { IncomingMessage, OutgoingMessage } from '../../src/index.ts';
import { consumingService } from './consuming-service.ts';

let service: Awaited<ReturnType<typeof consumingService>>;
beforeEach(async () => {
  service = await consumingService();
});
afterEach(() => service.stop());

const text = ({ value }: Pick<IncomingMessage, 'value'>) => Buffer.from(value).toString();
const page = { limit: 10 };
const consumed = () =>
  until(async () => (await service.bus.lag(service.group, service.topic)) === 0, {
    what: 'all to be consumed',
  });
/** What begins with "forged" is not authentic; with the key, only what begins with "forged!". */
const rejection =
  (mark = 'forged') =>
  (message: IncomingMessage) =>
    text(message).startsWith(mark) ? 'it carries no proof' : undefined;
const nothing = async () => {};
const metric = async (name: string) => {
  const lines = (await service.telemetry.metrics.metrics()).split('\n');
  const labels = `topic="${service.topic}"`;
  return lines
    .find((line) => line.startsWith(name) && line.includes(labels))
    ?.split(' ')
    .at(-1);
};
const rejectedCount = async () => {
  const lines = (await service.telemetry.metrics.metrics()).split('\n');
  return lines
    .find((line) => line.includes('outcome="rejected"'))
    ?.split(' ')
    .at(-1);
};

test('a message that is not authentic has no effect, is stored, and holds up nothing', async () => {
  const { bus, message, effects } = service;
  const consumer = await service.start(nothing, { rejection: rejection() });
  expect(await rejectedCount()).toBe('0');
  const genuine = message('k', '2');
  await bus.publish([message('k', '1'), message('k', 'forged', genuine.id), genuine]);
  await consumed();
  await bus.publish([message('k', '3')]);
  await consumed();
  expect(await effects('k')).toEqual(['1', '2', '3']);
  const [stored, ...others] = await consumer.list(page);
  expect(others).toEqual([]);
  expect(stored).toMatchObject({
    key: 'k',
    eventId: genuine.id,
    reason: 'The message is not authentic: it carries no proof.',
  });
  expect(await rejectedCount()).toBe('1');
  expect(await metric('bus_rejected_messages{')).toBe('1');
  expect(await metric('bus_dead_letters{')).toBe('0');
  expect(service.log.join('\n')).toContain('messages rejected: not authentic');
  await consumer.stop();
});

test('a forged copy of a handled event is stored too', async () => {
  const { bus, message, effects } = service;
  const consumer = await service.start(nothing, { rejection: rejection() });
  const genuine = message('k', '1');
  await bus.publish([genuine]);
  await consumed();
  await bus.publish([message('k', 'forged', genuine.id)]);
  await consumed();
  expect(await effects()).toEqual(['1']);
  expect(await consumer.list(page)).toHaveLength(1);
  await consumer.stop();
});

test('replay rejects a forged message again, and names why', async () => {
  const { bus, message, effects } = service;
  const consumer = await service.start(nothing, { rejection: rejection() });
  await bus.publish([message('k', 'forged')]);
  await consumed();
  const [stored] = await consumer.list(page);
  for (let n = 0; n < 2; n++)
    expect(await consumer.replay(stored!.id)).toEqual({
      replayedIds: [],
      failedId: stored!.id,
      reason: 'VALIDATION: The message is not authentic: it carries no proof.',
    });
  expect(await effects()).toEqual([]);
  expect(await consumer.list(page)).toHaveLength(1);
  await consumer.stop();
});

test('after the missing key is configured, replay handles the key in order', async () => {
  const { bus, message, effects } = service;
  /** As custody does: each event of a key must follow the one before. */
  const inOrder = async ({ value }: IncomingMessage) => {
    const sequence = Number(text({ value }).at(-1));
    if ((await effects('k')).length !== sequence - 1)
      throw new Failure('VALIDATION', `event ${sequence} cannot follow`);
  };
  const before = await service.start(inOrder, { rejection: rejection() });
  const sent = ['1', 'forged 2', '3', 'forged! 9', 'forged 4', '5'].map((value) =>
    message('k', value),
  );
  await bus.publish(sent);
  await consumed();
  expect(await effects('k')).toEqual(['1']);
  await before.stop();
  const consumer = await service.start(inOrder, { rejection: rejection('forged!') });
  const idOf = async ({ id }: OutgoingMessage) =>
    (await consumer.list(page)).find(({ eventId }) => eventId === id)!.id;
  const [, second, third, forged, fourth] = sent as [OutgoingMessage, ...OutgoingMessage[]] &
    OutgoingMessage[];
  for (const later of [third!, fourth!])
    await expect(consumer.replay(await idOf(later))).rejects.toMatchObject({
      kind: 'ILLEGAL_TRANSITION',
      message: expect.stringContaining(await idOf(second!)),
    });
  const { replayedIds, failedId } = await consumer.replay(await idOf(second!));
  expect(replayedIds).toHaveLength(4);
  expect(failedId).toBeUndefined();
  expect(await effects('k')).toEqual(['1', 'forged 2', '3', 'forged 4', '5']);
  expect((await consumer.list(page)).map(({ eventId }) => eventId)).toEqual([forged!.id]);
  await consumer.stop();
});

test('a parked message that is no longer authentic is not replayed', async () => {
  const { bus, message, effects } = service;
  const bad = async () => {
    throw new Failure('VALIDATION', 'bad');
  };
  const before = await service.start(bad);
  await bus.publish([message('k', 'forged')]);
  await consumed();
  await before.stop();
  const consumer = await service.start(nothing, { rejection: rejection() });
  const [parked] = await consumer.list(page);
  expect((await consumer.replay(parked!.id)).reason).toMatch(/not authentic/);
  expect(await effects()).toEqual([]);
  await consumer.stop();
});

test('beyond 10,000 rejected messages that wait, further ones are only counted', async () => {
  const { bus, db, message, topic, group, effects } = service;
  await db.query(
    `insert into dead_letters (id, consumer, topic, partition, "offset", key, event_id, type, value,
       reason, rejected)
     select gen_random_uuid(), $1, $2, 0, 1000000 + n, 'k', n::text, 't', '', 'r', true
     from generate_series(1, 9999) n`,
    [group, topic],
  );
  const consumer = await service.start(nothing, { rejection: rejection() });
  await bus.publish(['forged 1', 'forged 2', 'forged 3', '1'].map((value) => message('k', value)));
  await consumed();
  expect(await effects()).toEqual(['1']);
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from dead_letters where rejected',
  );
  expect(row!.count).toBe(10_000);
  expect(await rejectedCount()).toBe('3');
  await consumer.stop();
});

test('a message with giant texts and value is stored in part', async () => {
  const { bus, message } = service;
  const consumer = await service.start(nothing, { rejection: rejection() });
  const huge = {
    ...message('k'.repeat(5000), `forged${'x'.repeat(70_000)}`),
    type: 't'.repeat(999),
  };
  await bus.publish([{ ...huge, id: 'i'.repeat(4000) }]);
  await consumed();
  const [stored] = await consumer.list(page);
  expect(stored!.key).toHaveLength(255);
  expect(stored!.eventId).toHaveLength(255);
  expect(stored!.reason).toContain('Its 70006 bytes were not stored.');
  await consumer.stop();
});
