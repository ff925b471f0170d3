import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stores } from '@pto/testing';
import { liveOrder } from '../load.ts';
import { type LocalStack, startLocalStack } from '../local-stack.ts';
import { expectDelivered, expectWholeLives } from '../proof.ts';
import { startReceiver } from '../receiver.ts';

const oneLife = async (stack: LocalStack): Promise<void> => {
  const receiver = await startReceiver(stack);
  await receiver.subscribe();
  const id = await liveOrder(stack, 'one');
  await expectWholeLives(stack, [id]);
  await expectDelivered(receiver, [id]);
  await receiver.stop();
};

test('on stores that were started elsewhere', async () => {
  const { postgres, redis, kafka } = stores();
  const env = {
    DATABASE_URL: postgres,
    ...(redis && { REDIS_URL: redis }),
    ...(kafka && { KAFKA_BROKERS: kafka.join(',') }),
  };
  const stack = await startLocalStack({ env });
  try {
    if (kafka) expect(stack.file().stores.kafka).toEqual(kafka);
    if (redis) expect(stack.file().stores.redis).toBe(redis);
    await oneLife(stack);
  } finally {
    expect(await stack.stop()).toBe(0);
    stack.forget();
  }
}, 120_000);

test('without Java, Maven and Redis: the bus on Postgres, the limiter in memory', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'pto-bin-'));
  for (const name of ['sh', 'ps', 'id', 'sleep', 'cat', 'env']) {
    const folder = (process.env.PATH ?? '').split(delimiter).find((f) => existsSync(join(f, name)));
    if (folder) symlinkSync(join(folder, name), join(bin, name));
  }
  const stack = await startLocalStack({ env: { PATH: bin, JAVA_HOME: '' } });
  try {
    expect(stack.file().stores).toMatchObject({ kafka: [], redis: null });
    expect(stack.output()).toMatch(/Java/);
    await oneLife(stack);
  } finally {
    expect(await stack.stop()).toBe(0);
    stack.forget();
    rmSync(bin, { recursive: true });
  }
}, 120_000);
