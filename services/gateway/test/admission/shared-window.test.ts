import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { stores, uniqueName, until } from '@pto/testing';
import { Redis } from 'ioredis';
import { createSharedWindow } from '../../src/admission/shared-window.ts';

const windowMs = 400;
const { log } = createTelemetry({ service: 'test', write: () => {} });
const inRedis = stores().redis === null ? describe.skip : describe;

inRedis('a sliding window in Redis', () => {
  const prefix = uniqueName('budget');
  let replicas: Redis[];
  beforeAll(async () => {
    replicas = [1, 2, 3].map(() => new Redis(stores().redis!));
    await until(() => replicas.every(({ status }) => status === 'ready'), { what: 'Redis' });
  });
  afterAll(() => {
    for (const redis of replicas) redis.disconnect();
  });
  const windows = () => replicas.map((redis) => createSharedWindow(redis, prefix, log, windowMs));

  test('grants over three replicas at random times never exceed the limit in any window', async () => {
    const limit = 20;
    const granted: { sent: number; received: number }[] = [];
    const end = performance.now() + 6 * windowMs;
    await Promise.all(
      windows().map(async (window) => {
        while (performance.now() < end) {
          const sent = performance.now();
          const { granted: isGranted, nextInMs } = await window.use('random', limit, 1);
          if (isGranted) granted.push({ sent, received: performance.now() });
          expect(nextInMs).toBeLessThanOrEqual(windowMs);
          await sleep(Math.random() * 8);
        }
      }),
    );
    // Redis granted each between `sent` and `received`: certainly within one window of another
    // only if the last was received less than a window after the first was sent.
    for (const { sent } of granted) {
      const within = granted.filter((one) => one.sent >= sent && one.received < sent + windowMs);
      expect(within.length).toBeLessThanOrEqual(limit);
    }
    expect(granted.length).toBeGreaterThan(4 * limit); // it grants what it may
  });

  test('a rejection names the time at which the next request is granted', async () => {
    const [window] = windows();
    for (let n = 0; n < 3; n++) expect((await window!.use('next', 3, 1)).granted).toBe(true);
    const { granted, used, nextInMs, fullInMs } = await window!.use('next', 3, 1);
    expect([granted, used]).toEqual([false, 3]);
    expect(fullInMs).toBeGreaterThanOrEqual(nextInMs);
    const next = performance.now() + nextInMs;
    await until(() => performance.now() >= next, { what: 'the time that it names' });
    expect((await window!.use('next', 3, 1)).granted).toBe(true);
  });

  test('a look spends nothing, and a lowered limit holds for what was granted before', async () => {
    const [window] = windows();
    expect(await window!.use('look', 4, 0)).toMatchObject({ used: 0, nextInMs: 0, fullInMs: 0 });
    for (let n = 0; n < 4; n++) await window!.use('look', 4, 1);
    expect(await window!.use('look', 4, 0)).toMatchObject({ granted: false, used: 4 });
    expect(await window!.use('look', 2, 1)).toMatchObject({ granted: false, used: 4 });
    expect((await window!.use('look', 5, 1)).granted).toBe(true);
  });

  test('stores one time for each granted request, for one window', async () => {
    const [window] = windows();
    const [redis] = replicas;
    for (let n = 0; n < 9; n++) await window!.use('stored', 5, 1);
    expect(await redis!.llen(`${prefix}:stored`)).toBe(5);
    await until(async () => (await redis!.exists(`${prefix}:stored`)) === 0, { what: 'its end' });
  });

  test('a clock that was set back neither lifts the limit nor blocks for longer than a window', async () => {
    const [window] = windows();
    const [redis] = replicas;
    const micros = (ms: number) => `${(Date.now() + ms) * 1000}`;
    await redis!.rpush(`${prefix}:back`, micros(windowMs / 2), micros(windowMs / 2 + 1));
    const { granted, nextInMs } = await window!.use('back', 2, 1);
    expect(granted).toBe(false);
    expect(nextInMs).toBeLessThanOrEqual(windowMs);
    await redis!.rpush(`${prefix}:far`, micros(3_600_000));
    expect(await window!.use('far', 1, 1)).toMatchObject({ granted: true, used: 1 });
  });

  test('uses of one moment get what they would get one after the other', async () => {
    const [window] = windows();
    const uses = [
      ...Array.from({ length: 5 }, () => window!.use('together', 3, 1)),
      window!.use('together', 3, 0),
      window!.use('apart', 3, 1),
      window!.use('together', 4, 1),
    ];
    const usages = await Promise.all(uses);
    expect(usages.map(({ granted, used }) => [granted, used])).toEqual([
      [true, 1],
      [true, 2],
      [true, 3],
      [false, 3],
      [false, 3],
      [false, 3],
      [true, 1],
      [true, 4],
    ]);
    for (const { nextInMs } of usages.slice(3, 6)) expect(nextInMs).toBeGreaterThan(0);
    expect(usages[6]!.nextInMs).toBe(0);
  });
});
