import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import type { Consumer, IncomingMessage } from '../../../src/index.ts';
import { consumingService } from '../consuming-service.ts';
import { holdEffects } from '../held-effects.ts';

let service: Awaited<ReturnType<typeof consumingService>>;
let consumer: Consumer;
let mayPass: boolean;
let isOpen: boolean;
beforeEach(async () => {
  service = await consumingService();
  mayPass = false;
  isOpen = true;
  const fails = async ({ value }: IncomingMessage) => {
    if (!mayPass && Buffer.from(value).toString().startsWith('bad')) throw new Error('bad');
  };
  consumer = await service.start(fails, {
    guard: async () => {
      if (!isOpen) throw new Failure('SERVICE_UNAVAILABLE', 'closed');
    },
  });
});
afterEach(async () => {
  await consumer.stop();
  await service.stop();
});

const consumed = () => service.consumed();

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
  const held = await holdEffects(database);
  const deadlineMs = 2500;
  const replay = consumer.replay(parked!.id);
  await held.untilOneWaitsFor('relation', { what: 'the replay', deadlineMs });
  await bus.publish([message('k', '2')]);
  await held
    .untilOneWaitsFor('advisory', { what: 'the message to wait for the replay', deadlineMs })
    .finally(async () => {
      await held.release();
      await replay;
    });
  await consumed();
  expect(await effects()).toEqual(['bad', '2']);
  expect(await consumer.list({ limit: 10 })).toEqual([]);
});

test('a replay fails while the guard throws, and its message stays parked', async () => {
  const { bus, message, effects } = service;
  await bus.publish([message('k', 'bad')]);
  await consumed();
  const [parked] = await consumer.list({ limit: 10 });
  mayPass = true;
  isOpen = false;
  expect(await consumer.replay(parked!.id)).toMatchObject({
    replayedIds: [],
    failedId: parked!.id,
  });
  expect(await effects()).toEqual([]);
  isOpen = true;
  await consumer.replay(parked!.id);
  expect(await effects()).toEqual(['bad']);
});
