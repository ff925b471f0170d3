import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import {
  type Database,
  dailyPartitions,
  migrate,
  openDatabase,
  sqlMigration,
  uuidv7,
} from '@pto/database';
import { createTelemetry, type Telemetry } from '@pto/telemetry';
import { stores, type TestDatabase, testDatabase, uniqueName, until } from '@pto/testing';
import kafkajs, { type Admin } from 'kafkajs';
import {
  type Bus,
  busSettings,
  type Consumer,
  consume,
  consumerTables,
  openBus,
} from '../../src/index.ts';

const { kafka: brokers } = stores();
const where = brokers ? describe : describe.skip;
const deadlineMs = 30_000;

where('a consumer of Kafka that stores its positions', () => {
  let database: TestDatabase;
  let db: Database;
  let bus: Bus;
  let admin: Admin;
  let telemetry: Telemetry;
  const log: string[] = [];
  beforeAll(async () => {
    database = await testDatabase('positions');
    await migrate(database.ownerUrl, [
      sqlMigration('20261123000000_consuming', [
        ...consumerTables,
        ...dailyPartitions({ inbox: 'false' }),
      ]),
    ]);
    telemetry = createTelemetry({ service: 'positions', write: (line) => log.push(line) });
    db = await openDatabase({
      url: database.serviceUrl,
      poolMax: 6,
      statementTimeoutMs: 3000,
      lockTimeoutMs: 2000,
      telemetry,
    });
    const { settings } = readConfig(busSettings, { KAFKA_BROKERS: brokers!.join(',') });
    bus = await openBus(settings, telemetry);
    const logLevel = kafkajs.logLevel.NOTHING;
    admin = new kafkajs.Kafka({ brokers: [...brokers!], logLevel }).admin();
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.disconnect();
    await bus?.close();
    await db?.close();
    await database?.drop();
  });

  const prepare = async () => {
    const [topic, group] = [uniqueName('topic'), uniqueName('group')];
    await bus.ensureTopics([{ name: topic, partitions: 1 }]);
    const effects: string[] = [];
    let n = 0;
    let latest: Telemetry;
    const metered = (): Telemetry => {
      latest = createTelemetry({ service: 'positions', write: (line) => log.push(line) });
      return latest;
    };
    return {
      topic,
      group,
      effects,
      publish: async (count: number) => {
        for (let i = 0; i < count; i++)
          await bus.publish([
            { topic, key: 'one key', id: uuidv7(), type: 't', value: Buffer.from(`${n++}`) },
          ]);
      },
      start: (): Promise<Consumer> =>
        consume(bus, db, {
          telemetry: metered(),
          group,
          topic,
          rejection: () => undefined,
          handle: async (messages) =>
            void effects.push(...messages.map(({ value }) => Buffer.from(value).toString())),
        }),
      sees: (text: string) =>
        until(() => effects.includes(text), { what: `message ${text}`, deadlineMs }),
      done: () =>
        until(async () => (await bus.lag(group, topic)) === 0, { what: 'no lag', deadlineMs }),
      lost: async (): Promise<number> => {
        const metric = await latest.metrics.getSingleMetric('bus_messages_lost_total')!.get();
        return metric.values.find(({ labels }) => labels.group === group)!.value;
      },
      logged: (level: string) =>
        log
          .map((line) => JSON.parse(line))
          .filter((line) => line.level === level && line.topic === topic),
    };
  };

  test.concurrent('handles waiting messages after the group was reset to the latest offset', async () => {
    const { topic, group, effects, publish, start, sees, done, lost, logged } = await prepare();
    const first = await start();
    await publish(2);
    await sees('1');
    await done();
    await first.stop();
    await publish(3);
    await reset(group, topic, 'high');
    const second = await start();
    await sees('4');
    await publish(1);
    await sees('5');
    expect(effects).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(await lost()).toBe(0);
    expect(logged('warn')).toEqual([expect.objectContaining({ from: '2', partition: 0 })]);
    await second.stop();
  });

  test.concurrent('handles the first messages of a partition after a reset to the latest offset', async () => {
    const { topic, group, effects, publish, start, sees } = await prepare();
    const first = await start();
    await until(async () => (await position(group, topic)) === '0', { what: 'a position' });
    await first.stop();
    await publish(2);
    await reset(group, topic, 'high');
    const second = await start();
    await sees('1');
    expect(effects).toEqual(['0', '1']);
    await second.stop();
  });

  test.concurrent('has no second effect after the group was reset to the earliest offset', async () => {
    const { topic, group, effects, publish, start, sees, done, lost } = await prepare();
    const first = await start();
    await publish(3);
    await sees('2');
    await done();
    await first.stop();
    await reset(group, topic, 'low');
    const second = await start();
    await publish(1);
    await sees('3');
    expect(effects).toEqual(['0', '1', '2', '3']);
    expect(await lost()).toBe(0);
    await second.stop();
  });

  test.concurrent('handles again what a database restored to an earlier moment has not', async () => {
    const { topic, group, effects, publish, start, sees, done } = await prepare();
    const first = await start();
    await publish(1);
    await sees('0');
    await done();
    await until(async () => (await position(group, topic)) === '1', { what: 'the position' });
    await publish(2);
    await sees('2');
    await done();
    await first.stop();
    await loseAllButFirst(group, topic);
    const second = await start();
    await until(() => effects.length === 5, { what: 'the effects again', deadlineMs });
    expect(effects).toEqual(['0', '1', '2', '1', '2']);
    await second.stop();
  });

  const position = async (group: string, topic: string): Promise<string | undefined> => {
    const [row] = await db.query<{ next_offset: string }>(
      'select next_offset from consumer_positions where consumer = $1 and topic = $2',
      [group, topic],
    );
    return row?.next_offset;
  };

  test.concurrent('handles again what a database lost while a member runs, before later messages', async () => {
    const { topic, group, effects, publish, start, sees, done } = await prepare();
    const member = await start();
    await publish(3);
    await sees('2');
    await done();
    await loseAllButFirst(group, topic);
    await publish(1);
    await sees('3');
    expect(effects).toEqual(['0', '1', '2', '1', '2', '3']);
    await done();
    expect(await position(group, topic)).toBe('4');
    await member.stop();
  });

  /** As a restore leaves the database: neither the last effects nor their rows. */
  const loseAllButFirst = (group: string, topic: string) =>
    db.transaction(async (tx) => {
      await tx.query(
        `delete from inbox where consumer = $1
         and event_id in (select event_id from inbox where consumer = $1 order by event_id offset 1)`,
        [group],
      );
      await tx.query(
        'update consumer_positions set next_offset = 1 where consumer = $1 and topic = $2',
        [group, topic],
      );
    });

  /** As kafka-consumer-groups.sh does; kafkajs's own reset commits no offset. */
  const reset = async (groupId: string, topic: string, to: 'low' | 'high') => {
    const offsets = await admin.fetchTopicOffsets(topic);
    const partitions = offsets.map((one) => ({ partition: one.partition, offset: one[to] }));
    await admin.setOffsets({ groupId, topic, partitions });
  };

  /** Kafka deletes a topic in the background. */
  const createAgain = async (topic: string) => {
    await admin.deleteTopics({ topics: [topic] });
    await until(async () => !(await admin.listTopics()).includes(topic), { what: 'no topic' });
    await admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions: 1 }] });
  };

  test.concurrent('reports a topic that was created again while no member ran, and reads it', async () => {
    const { topic, group, effects, publish, start, sees, done, lost, logged } = await prepare();
    const first = await start();
    await publish(3);
    await sees('2');
    await done();
    await first.stop();
    await createAgain(topic);
    await publish(1);
    const second = await start();
    await sees('3');
    expect(effects).toEqual(['0', '1', '2', '3']);
    expect(await lost()).toBe(1);
    expect(logged('error')).toEqual([expect.objectContaining({ expected: '3', from: '0' })]);
    await until(async () => (await position(group, topic)) === '1', { what: 'the position' });
    await second.stop();
  });

  test.concurrent('reports a topic that was created again while a member runs, and reads it', async () => {
    const { topic, publish, start, sees, done, lost, logged } = await prepare();
    const member = await start();
    await publish(3);
    await sees('2');
    await done();
    await createAgain(topic);
    await publish(1);
    await sees('3');
    expect(await lost()).toBe(1);
    expect(logged('error')).toEqual([expect.objectContaining({ expected: '3', from: '0' })]);
    await member.stop();
  });
});
