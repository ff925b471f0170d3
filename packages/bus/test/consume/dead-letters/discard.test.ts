import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { type Consumer, deadLetterHandlers, type IncomingMessage } from '../../../src/index.ts';
import { consumingService } from '../consuming-service.ts';
import { holdEffects } from '../held-effects.ts';

let service: Awaited<ReturnType<typeof consumingService>>;
let consumer: Consumer;
let mayPass: boolean;
beforeEach(async () => {
  service = await consumingService();
  mayPass = false;
  consumer = await service.start(async ({ value }: IncomingMessage) => {
    if (!mayPass && Buffer.from(value).toString().startsWith('bad'))
      throw new Failure('VALIDATION', 'It is bad.');
  });
});
afterEach(async () => {
  await consumer.stop();
  await service.stop();
});

const by = { operator: 'Ada Operator', reason: 'It is a copy.' };
const parked = () => consumer.list({ limit: 100 });
const consumed = () => service.consumed();

test('a discarded message has no effect, and the one behind it can be replayed', async () => {
  const { bus, message, effects, db } = service;
  await bus.publish([message('k', 'bad'), message('k', '2'), message('k', '3')]);
  await consumed();
  const [first, second] = await parked();
  expect(await consumer.discard(first!.id, by)).toBe(second!.id);
  // what was parked behind it stays parked until it is replayed, and blocks later messages
  await bus.publish([message('k', '4')]);
  await consumed();
  expect(await effects()).toEqual([]);
  expect((await consumer.replay(second!.id)).replayedIds).toHaveLength(3);
  await bus.publish([message('k', '5')]);
  await consumed();
  expect(await effects()).toEqual(['2', '3', '4', '5']);
  expect(
    await db.query(
      'select id, discarded_by, discard_reason from dead_letters where discarded_by is not null',
    ),
  ).toEqual([{ id: first!.id, discarded_by: by.operator, discard_reason: by.reason }]);
});

test('later messages of a key are handled once its only parked message is discarded', async () => {
  const { bus, message, effects } = service;
  await bus.publish([message('k', 'bad')]);
  await consumed();
  const [only] = await parked();
  expect(await consumer.discard(only!.id, by)).toBeUndefined();
  await bus.publish([message('k', '2')]);
  await consumed();
  expect(await effects()).toEqual(['2']);
});

test('a discarded message that is delivered again has no effect and parks nothing', async () => {
  const { bus, message, effects } = service;
  const bad = message('k', 'bad');
  await bus.publish([bad]);
  await consumed();
  await consumer.discard((await parked())[0]!.id, by);
  mayPass = true;
  await bus.publish([bad, message('k', '2')]);
  await consumed();
  expect(await effects()).toEqual(['2']);
  expect(await parked()).toEqual([]);
});

test('of an event that is parked twice the second is handled when the first is discarded', async () => {
  const { bus, message, effects } = service;
  const bad = message('k', 'bad');
  await bus.publish([message('k', 'bad first'), bad]);
  await bus.publish([bad]);
  await consumed();
  const [first, second, third] = await parked();
  await consumer.discard(second!.id, by);
  mayPass = true;
  expect((await consumer.replay(first!.id)).replayedIds).toEqual([first!.id, third!.id]);
  expect(await effects()).toEqual(['bad first', 'bad']);
});

test('a discard waits for a replay of the same message, which then has its effect', async () => {
  const { bus, message, effects, database } = service;
  await bus.publish([message('k', 'bad')]);
  await consumed();
  const [only] = await parked();
  mayPass = true;
  const held = await holdEffects(database);
  const replay = consumer.replay(only!.id);
  await held.untilOneWaitsFor('relation', { what: 'the replay' });
  const discarded = expect(consumer.discard(only!.id, by)).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
  await held.untilOneWaitsFor('advisory', { what: 'the discard to wait for the replay' });
  await held.release();
  expect((await replay).replayedIds).toEqual([only!.id]);
  await discarded;
  expect(await effects()).toEqual(['bad']);
});

test('an operator gives a reason, and only messages that wait are discarded', async () => {
  const { bus, message } = service;
  await bus.publish([message('k', 'bad'), message('k', '2')]);
  await consumed();
  const [first, second] = await parked();
  const { discardDeadLetter } = deadLetterHandlers(consumer);
  const request = { $typeName: 'bus.v1.DiscardDeadLetterRequest' as const, id: first!.id };
  const caller = { operator: 'Ada Operator' };
  for (const reason of ['', ' ', 'x'.repeat(501)])
    await expect(discardDeadLetter({ ...request, reason }, { caller })).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
  await expect(
    discardDeadLetter({ ...request, reason: 'x' }, { caller: {} }),
  ).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
  const done = await discardDeadLetter({ ...request, reason: 'A copy.' }, { caller });
  expect(done).toEqual({ nextId: second!.id });
  await expect(discardDeadLetter({ ...request, reason: 'x' }, { caller })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
});
