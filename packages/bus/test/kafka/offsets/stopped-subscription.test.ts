import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { stores, uniqueName, until } from '@pto/testing';
import { type Bus, busSettings } from '../../../src/index.ts';
import { openTestBus } from '../../open-test-bus.ts';

const { kafka: brokers } = stores();
const where = brokers ? describe : describe.skip;
const deadlineMs = 30_000;

where('a subscription to Kafka', () => {
  let bus: Bus;
  beforeAll(async () => {
    const { settings } = readConfig(busSettings, { KAFKA_BROKERS: brokers!.join(',') });
    bus = await openTestBus(settings);
  });
  afterAll(() => bus?.close());

  const prepare = async () => {
    const [topic, group] = [uniqueName('topic'), uniqueName('group')];
    await bus.ensureTopics([{ name: topic, partitions: 1 }]);
    const publish = () =>
      bus.publish([{ topic, key: 'key', id: uuidv7(), type: 't', value: Buffer.from('value') }]);
    return { topic, group, publish };
  };

  test('leaves no uncommitted offset when it stops after a batch', async () => {
    const { topic, group, publish } = await prepare();
    let handled = 0;
    const subscription = await bus.subscribe({
      group,
      topics: [topic],
      handle: async (batch) => {
        handled += batch.length;
      },
    });
    await publish();
    await until(() => handled === 1, { what: 'the message', deadlineMs });
    await subscription.stop();
    expect(await bus.lag(group, topic)).toBe(0);
  });

  test('leaves no uncommitted offset when it stops during a batch', async () => {
    const { topic, group, publish } = await prepare();
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const subscription = await bus.subscribe({
      group,
      topics: [topic],
      handle: async () => {
        begun.resolve();
        await released.promise;
      },
    });
    await publish();
    await begun.promise;
    const stopped = subscription.stop();
    released.resolve();
    await stopped;
    expect(await bus.lag(group, topic)).toBe(0);
  });

  test('is open before it has joined the group, and joins afterwards', async () => {
    const { topic, group, publish } = await prepare();
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let handled = 0;
    const handle = async () => {
      handled++;
      begun.resolve();
      await released.promise;
    };
    const first = await bus.subscribe({ group, topics: [topic], handle });
    await publish();
    await begun.promise;
    // the first member joins again only after its batch
    const second = await bus.subscribe({ group, topics: [topic], handle });
    expect(handled).toBe(1);
    released.resolve();
    await first.stop();
    await publish();
    await until(() => handled === 2, { what: 'the message of the second member', deadlineMs });
    await second.stop();
  });

  test('that stops while it joins stays stopped', async () => {
    const { topic, group, publish } = await prepare();
    let handled = 0;
    const handle = async () => void handled++;
    await (await bus.subscribe({ group, topics: [topic], handle })).stop();
    await publish();
    // joins only if the stopped member has left the group
    let last = 0;
    const next = await bus.subscribe({ group, topics: [topic], handle: async () => void last++ });
    await until(() => last === 1, { what: 'the message', deadlineMs });
    await next.stop();
    expect(handled).toBe(0);
  });

  test('that gathers gets messages of several sends in one batch', async () => {
    const { topic, group, publish } = await prepare();
    const batches: number[] = [];
    const count = () => batches.reduce((sum, size) => sum + size, 0);
    const subscription = await bus.subscribe({
      group,
      topics: [topic],
      gather: true,
      handle: async (batch) => void batches.push(batch.length),
    });
    await publish();
    await until(() => count() === 1, { what: 'the first message', deadlineMs });
    for (let n = 1; n < 30; n++) await publish();
    await until(() => count() === 30, { what: 'all messages', deadlineMs });
    await subscription.stop();
    expect(batches.length).toBeLessThan(20);
  });
});
