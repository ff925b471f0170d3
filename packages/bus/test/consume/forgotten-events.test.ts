import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { requireRemembered } from '../../src/consume/inbox.ts';
import type { OutgoingMessage } from '../../src/index.ts';
import { consumingService } from './consuming-service.ts';

let service: Awaited<ReturnType<typeof consumingService>>;
beforeEach(async () => {
  service = await consumingService();
});
afterEach(() => service.stop());

const dayMs = 86_400_000;
const page = { limit: 100 };

/** An event that was made so many days ago. */
const aged = (days: number, key: string, value: string): OutgoingMessage => {
  const { message } = service;
  const at = Math.floor(Date.now() - days * dayMs);
  const hex = at.toString(16).padStart(12, '0');
  return message(key, value, `${hex.slice(0, 8)}-${hex.slice(8)}${uuidv7().slice(13)}`);
};

/** Forgets handled events, as the rotation of the partitions does after 16 days. */
const forget = () => service.db.query('delete from inbox');

test('an event that is published again after the inbox has forgotten it is parked', async () => {
  const { bus, effects, consumed } = service;
  const consumer = await service.start();
  const [old, other] = [aged(17, 'delivered', 'submitted'), service.message('other', '1')];
  await service.db.query('insert into inbox (consumer, event_id) values ($1, $2)', [
    service.group,
    old.id,
  ]);
  await bus.publish([old]);
  await consumed();
  // while the inbox knows it, it is a duplicate
  expect([await effects(), await consumer.list(page)]).toEqual([[], []]);
  await forget();
  await bus.publish([old, other]);
  await consumed();
  expect(await effects()).toEqual(['1']);
  const parked = await consumer.list(page);
  expect(parked).toMatchObject([
    { key: 'delivered', eventId: old.id, reason: expect.stringContaining('15 days ago') },
  ]);
  await consumer.discard(parked[0]!.id, { operator: 'An Operator', reason: 'published again' });
  await bus.publish([old]);
  await consumed();
  expect([await effects(), await consumer.list(page)]).toEqual([['1'], []]);
  await consumer.stop();
});

test('a backlog of up to 15 days is handled', async () => {
  const { bus, effects, consumed } = service;
  await bus.publish([aged(14.9, 'k', '1'), aged(7, 'k', '2'), aged(0, 'k', '3')]);
  const consumer = await service.start();
  await consumed();
  expect([await effects('k'), await consumer.list(page)]).toEqual([['1', '2', '3'], []]);
  await consumer.stop();
});

test('a backlog of 20 days loses nothing: replays handle each order in its order', async () => {
  const { bus, effects, consumed } = service;
  const days = [20, 18, 16, 10, 1];
  const backlog = days.flatMap((age) => ['a', 'b'].map((key) => aged(age, key, `${age}`)));
  await bus.publish([...backlog, aged(1, 'c', 'young')]);
  const consumer = await service.start();
  await consumed();
  // the younger events of an order wait behind its old ones
  expect(await effects()).toEqual(['young']);
  const parked = await consumer.list(page);
  expect(parked).toHaveLength(backlog.length);
  const oldest = ['a', 'b'].map((key) => parked.find((letter) => letter.key === key)!);
  for (const { id } of oldest)
    expect(await consumer.replay(id)).toMatchObject({ failedId: undefined });
  const inOrder = days.map(String);
  expect([await effects('a'), await effects('b')]).toEqual([inOrder, inOrder]);
  expect(await consumer.list(page)).toEqual([]);
  // a replayed event is handled: the bus may deliver it again
  await bus.publish(backlog);
  await consumed();
  expect([await effects('a'), await consumer.list(page)]).toEqual([inOrder, []]);
  await consumer.stop();
});

test('an id that has no time is not judged by its age', () => {
  const now = Date.now();
  const message = { id: '00000000-0000-4000-8000-000000000000' };
  expect(() => requireRemembered([message as never], now)).not.toThrow();
  expect(() => requireRemembered([{ id: uuidv7() } as never], now + 16 * dayMs)).toThrow(/15 days/);
  expect(() => requireRemembered([{ id: uuidv7() } as never], now - 16 * dayMs)).not.toThrow();
});
