import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { stores, uniqueName, until } from '@pto/testing';
import kafkajs, { type Admin } from 'kafkajs';
import { type Bus, busSettings, openBus } from '../../../src/index.ts';

const { kafka: brokers } = stores();
const where = brokers ? describe : describe.skip;
const deadlineMs = 30_000;

where('Kafka', () => {
  let bus: Bus;
  let admin: Admin;
  let log: string[];
  beforeAll(async () => {
    log = [];
    const telemetry = createTelemetry({ service: 'loss', write: (line) => log.push(line) });
    const { settings } = readConfig(busSettings, { KAFKA_BROKERS: brokers!.join(',') });
    bus = await openBus(settings, telemetry);
    admin = new kafkajs.Kafka({
      brokers: [...brokers!],
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin();
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.disconnect();
    await bus?.close();
  });

  const prepare = async () => {
    const topic = uniqueName('topic');
    const group = uniqueName('group');
    await bus.ensureTopics([{ name: topic, partitions: 2 }]);
    let n = 0;
    const publish = async (count: number) => {
      for (let i = 0; i < count; i++)
        await bus.publish([
          { topic, key: 'one key', id: uuidv7(), type: 't', value: Buffer.from(`${n++}`) },
        ]);
    };
    await publish(1);
    const offsets = await admin.fetchTopicOffsets(topic);
    const { partition } = offsets.find(({ high }) => high !== '0')!;
    /** As retention does: nothing before the offset can be read any more. */
    const deleteBefore = (offset: number) =>
      admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: `${offset}` }] });
    const seen: string[] = [];
    const lost: number[] = [];
    let refuse: string | undefined;
    const start = () =>
      bus.subscribe({
        group,
        topic,
        batchMax: 1,
        lost: (count) => lost.push(count),
        handle: async (batch) => {
          const text = Buffer.from(batch[0]!.value).toString();
          if (text === refuse) throw new Error('refused');
          seen.push(text);
        },
      });
    const sees = (text: string) =>
      until(() => seen.includes(text), { what: `message ${text}`, deadlineMs });
    const refuses = (text: string) => {
      refuse = text;
    };
    return { topic, group, partition, publish, deleteBefore, start, seen, lost, sees, refuses };
  };

  test('reports messages that were deleted while no member ran', async () => {
    const { topic, group, partition, publish, deleteBefore, start, seen, lost, sees } =
      await prepare();
    const first = await start();
    await sees('0');
    await until(async () => (await bus.lag(group, topic)) === 0, { what: 'commit', deadlineMs });
    await first.stop();
    await publish(5);
    await deleteBefore(4);
    const second = await start();
    await sees('5');
    expect(lost).toEqual([3]);
    expect(seen).toEqual(['0', '4', '5']);
    const logged = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(logged).toEqual([
      expect.objectContaining({ group, topic, partition, from: '1', to: '4', count: 3 }),
    ]);
    await second.stop();
    const third = await start();
    await publish(1);
    await sees('6');
    expect(lost).toHaveLength(1);
    await third.stop();
  });

  test('reports messages of a partition of which the group has never read any', async () => {
    const { topic, group, partition, publish, deleteBefore, start, lost, refuses } =
      await prepare();
    refuses('0');
    const committed = async () =>
      (await admin.fetchOffsets({ groupId: group, topics: [topic] }))[0]?.partitions.find(
        (one) => one.partition === partition,
      )?.offset;
    const first = await start();
    await until(async () => (await committed()) === '0', { what: 'an offset', deadlineMs });
    await first.stop();
    await publish(2);
    await deleteBefore(3);
    const second = await start();
    await until(() => lost.length > 0, { what: 'the report', deadlineMs });
    expect(lost).toEqual([3]);
    await until(async () => (await committed()) === '3', { what: 'the new offset', deadlineMs });
    await second.stop();
  });

  test('reports messages that were deleted while their handling failed', async () => {
    const { topic, publish, deleteBefore, start, lost, sees, refuses, seen } = await prepare();
    refuses('1');
    const member = await start();
    await sees('0');
    await publish(4);
    await until(
      () =>
        log.some((line) => line.includes('batch failed, will be retried') && line.includes(topic)),
      {
        what: 'a refused batch',
        deadlineMs,
      },
    );
    await deleteBefore(3);
    await sees('4');
    expect(lost).toEqual([2]);
    expect(seen).toEqual(['0', '3', '4']);
    await member.stop();
  });

  test('a new group has lost nothing, whatever was deleted before', async () => {
    const { publish, deleteBefore, start, lost, sees } = await prepare();
    await publish(5);
    await deleteBefore(3);
    const member = await start();
    await sees('5');
    expect(lost).toEqual([]);
    await member.stop();
  });

  test('a group that restarts while topics are created reads no message again', async () => {
    const { topic, group, publish, start, seen, sees } = await prepare();
    const first = await start();
    await publish(4);
    await sees('4');
    await first.stop();
    expect(await bus.lag(group, topic)).toBe(0);
    let creating = true;
    const create = async () => {
      while (creating) await bus.ensureTopics([{ name: uniqueName('topic'), partitions: 1 }]);
    };
    const creators = [create(), create(), create(), create()];
    for (let n = 5; n < 10; n++) {
      const member = await start();
      await publish(1);
      await sees(`${n}`);
      await member.stop();
    }
    creating = false;
    await Promise.all(creators);
    expect(seen).toEqual(Array.from({ length: 10 }, (_, n) => `${n}`));
  });
});
