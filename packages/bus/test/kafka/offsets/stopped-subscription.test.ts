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
      topic,
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
      topic,
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

  test('that gathers gets messages of several sends in one batch', async () => {
    const { topic, group, publish } = await prepare();
    const batches: number[] = [];
    const count = () => batches.reduce((sum, size) => sum + size, 0);
    const subscription = await bus.subscribe({
      group,
      topic,
      linger: true,
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
