import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stores } from '@pto/testing';
import { liveOrder } from '../load.ts';
import { type Mesh, startMesh } from '../mesh.ts';
import { expectDelivered, expectWholeLives } from '../proof.ts';
import { startReceiver } from '../receiver.ts';

const oneLife = async (mesh: Mesh): Promise<void> => {
  const receiver = await startReceiver(mesh);
  await receiver.subscribe();
  const id = await liveOrder(mesh, 'one');
  await expectWholeLives(mesh, [id]);
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
  const mesh = await startMesh({ env });
  try {
    if (kafka) expect(mesh.file().stores.kafka).toEqual(kafka);
    if (redis) expect(mesh.file().stores.redis).toBe(redis);
    await oneLife(mesh);
  } finally {
    expect(await mesh.stop()).toBe(0);
    mesh.forget();
  }
}, 120_000);

test('without Java, Maven and Redis: the bus on Postgres, the limiter in memory', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'pto-bin-'));
  for (const name of ['sh', 'ps', 'id', 'sleep', 'cat', 'env']) {
    const folder = (process.env.PATH ?? '').split(delimiter).find((f) => existsSync(join(f, name)));
    if (folder) symlinkSync(join(folder, name), join(bin, name));
  }
  const mesh = await startMesh({ env: { PATH: bin, JAVA_HOME: '' } });
  try {
    expect(mesh.file().stores).toMatchObject({ kafka: [], redis: null });
    expect(mesh.output()).toMatch(/Java/);
    await oneLife(mesh);
  } finally {
    expect(await mesh.stop()).toBe(0);
    mesh.forget();
    rmSync(bin, { recursive: true });
  }
}, 120_000);
