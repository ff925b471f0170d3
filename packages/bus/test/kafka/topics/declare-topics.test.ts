import { spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { createTelemetry } from '@pto/telemetry';
import { stores, uniqueName, until } from '@pto/testing';
import type { Admin } from 'kafkajs';
import { connectKafka } from '../../../src/kafka/kafka-connection.ts';
import { alterTopics, describeTopics } from '../../../src/kafka/topics/declare-topics.ts';
import { kafkaSettings } from '../../../src/settings.ts';

const { kafka } = stores();
const where = kafka ? describe : describe.skip;
const program = new URL('../../../src/topics.ts', import.meta.url).pathname;

const declare = (topics: string) => {
  const { NODE_OPTIONS, ...rest } = process.env;
  const env = { ...rest, KAFKA_BROKERS: kafka!.join(','), KAFKA_TOPICS: topics };
  const child = spawn(process.execPath, [program], { env });
  let output = '';
  child.stdout.on('data', (part) => {
    output += part;
  });
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
};

/** What an operator does with Kafka's own tools. */
const asOperator = async <T>(work: (admin: Admin) => Promise<T>): Promise<T> => {
  const { settings } = readConfig(kafkaSettings, { KAFKA_BROKERS: kafka!.join(',') });
  const quiet = createTelemetry({ service: 'test', write: () => {} });
  const admin = connectKafka(settings, quiet).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};
/** The topic's own values, which stand against the brokers'. */
const ownConfig = async (name: string): Promise<Record<string, string>> => {
  const found = await asOperator((admin) => describeTopics(admin, [name]));
  return Object.fromEntries(found.get(name)!.own);
};
const set = async (name: string, key: string, value: string): Promise<void> => {
  await asOperator((admin) => alterTopics(admin, new Map([[name, new Map([[key, value]])]])));
  await until(async () => (await ownConfig(name))[key] === value, { what: 'the value' });
};
/** Waits until the brokers know the topic's own values. */
const expectConfig = async (name: string, expected: Record<string, string>): Promise<void> => {
  await until(async () => isDeepStrictEqual(await ownConfig(name), expected), {
    what: `the values ${JSON.stringify(expected)}`,
  });
};

where('on Kafka', () => {
  const name = uniqueName('declared');
  const dayMs = 86_400_000;

  test('a topic is made as declared, and a later declaration lengthens what it keeps', async () => {
    expect((await declare(`${name}=3/7d/1/1`)).code).toBe(0);
    const made = {
      'retention.ms': `${7 * dayMs}`,
      'min.insync.replicas': '1',
      'segment.ms': `${dayMs}`,
    };
    await expectConfig(name, made);
    expect((await declare(`${name}=3/8d/1/1`)).code).toBe(0);
    await expectConfig(name, { ...made, 'retention.ms': `${8 * dayMs}` });
  });

  test('what an operator has set on a topic stays, also where its retention is lengthened', async () => {
    await set(name, 'max.message.bytes', '2000000');
    expect((await declare(`${name}=3/9d/1/1`)).code).toBe(0);
    await expectConfig(name, {
      'retention.ms': `${9 * dayMs}`,
      'min.insync.replicas': '1',
      'segment.ms': `${dayMs}`,
      'max.message.bytes': '2000000',
    });
  });

  test.each([
    ['30 days', `${30 * dayMs}`],
    ['forever', '-1'],
  ])('a retention that was prolonged is not shortened: %s', async (_, prolonged) => {
    await set(name, 'retention.ms', prolonged);
    const { code, output } = await declare(`${name}=3/9d/1/1`);
    expect([code, (await ownConfig(name))['retention.ms']]).toEqual([0, prolonged]);
    expect(output).toContain(`"keptLongerMs":{"${name}":${prolonged}}`);
  });

  test('segments that are longer than a day are shortened, shorter ones stay', async () => {
    await set(name, 'segment.ms', `${7 * dayMs}`);
    const before = await ownConfig(name);
    expect((await declare(`${name}=3/9d/1/1`)).code).toBe(0);
    await expectConfig(name, { ...before, 'segment.ms': `${dayMs}` });
    await set(name, 'segment.ms', `${dayMs / 2}`);
    expect((await declare(`${name}=3/9d/1/1`)).code).toBe(0);
    expect((await ownConfig(name))['segment.ms']).toBe(`${dayMs / 2}`);
  });

  test('forever is longer than any time', async () => {
    await set(name, 'retention.ms', `${30 * dayMs}`);
    const before = await ownConfig(name);
    expect((await declare(`${name}=3/forever/1/1`)).code).toBe(0);
    await expectConfig(name, { ...before, 'retention.ms': '-1' });
  });

  test('another number of partitions, or fewer copies, are refused, each by both numbers', async () => {
    const before = await ownConfig(name);
    const { code, output } = await declare(`${name}=4/forever/3/2`);
    expect(code).toBe(78);
    expect(output).toContain('has 3 partitions, not 4');
    expect(output).toContain('has a replication of 1, not 3');
    expect(output).toContain('has min.insync.replicas=1, not 2');
    await expectConfig(name, before);
  });

  test('a new topic that the brokers cannot make is named, with their reason', async () => {
    const missing = uniqueName('copies');
    const { code, output } = await declare(`${missing}=1/7d/3/2`);
    expect(code).toBe(1);
    expect(output).toContain(
      `topics could not be created: ${missing}: Replication-factor is invalid`,
    );
  });

  test.each(['a topic', 'name=0/7d/1/1', 'name=3/soon/1/1', 'name=3/7d', 'name=3/7d/1/2'])(
    '%s is no declaration',
    async (topics) => {
      expect(await declare(topics)).toMatchObject({ code: 78 });
    },
  );
});
