import { setImmediate as sent } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { stores, until } from '@pto/testing';
import { Redis } from 'ioredis';
import { createBudgets } from '../../src/admission/budgets.ts';
import { openRedis } from '../../src/admission/shared-window.ts';
import { redisBehindAWire } from '../redis-behind-a-wire.ts';
import { redisOfOurOwn } from '../redis-of-our-own.ts';

const inRedis = stores().redis === null || !stores().kafka ? describe.skip : describe;

inRedis('a Redis that rejects commands', () => {
  let server: Awaited<ReturnType<typeof redisOfOurOwn>>;
  let other: Awaited<ReturnType<typeof redisOfOurOwn>>;
  let wire: Awaited<ReturnType<typeof redisBehindAWire>>;
  let admin: Redis;
  beforeAll(async () => {
    server = await redisOfOurOwn();
    other = await redisOfOurOwn();
    wire = await redisBehindAWire(server.url);
    admin = new Redis(server.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await wire.stop();
    await server.stop();
    await other.stop();
  });

  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  const start = async (url = wire.url) => {
    const lines: { level: string; msg: string; code?: string; command?: string }[] = [];
    const telemetry = createTelemetry({
      service: 'test',
      write: (line) => lines.push(JSON.parse(line)),
    });
    const redis = openRedis(url);
    closers.push(() => redis.disconnect());
    const budgets = createBudgets({ redis, replicas: 2, telemetry });
    const spend = () => budgets.spend(crypto.randomUUID(), 2);
    await until(() => redis.status === 'ready', { what: 'Redis' });
    await spend();
    const told = () => lines.map(({ level, code, msg }) => [level, code, msg.slice(0, 13)]);
    /** Whether a command took more than 100 ms, because the machine is busy. */
    const wasLate = () => lines.some(({ msg }) => msg.startsWith('Redis is unavailable'));
    return { redis, budgets, spend, told, wasLate };
  };

  const acl = (...words: string[]) => admin.call('ACL', 'SETUSER', 'default', ...words);
  const states: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'OOM',
      () => admin.config('SET', 'maxmemory', '1'),
      () => admin.config('SET', 'maxmemory', '0'),
    ],
    ['NOPERM', () => acl('-evalsha', '-eval'), () => acl('+@all')],
  ];

  test.each(states)(
    '%s is logged once, and once more when it has passed',
    async (code, harm, heal) => {
      const told = await until(
        async () => {
          const { spend, told, wasLate } = await start();
          await harm();
          for (let n = 0; n < 5; n++) expect((await spend()).allowed).toBe(true);
          await heal();
          for (let n = 0; n < 3; n++) await spend();
          return !wasLate() && told();
        },
        { what: 'responses within 100 ms' },
      );
      expect(told).toEqual([
        ['warn', code, 'Redis rejects'],
        ['info', undefined, 'Redis accepts'],
      ]);
    },
  );

  test('limits are each replica’s share while Redis rejects commands', async () => {
    const { budgets } = await start();
    await admin.config('SET', 'maxmemory', '1');
    const spent = [await budgets.spend('one', 2), await budgets.spend('one', 2)];
    expect(spent.map(({ allowed }) => allowed)).toEqual([true, false]);
    await admin.config('SET', 'maxmemory', '0');
  });

  test('the connection to a demoted master is closed, and the next one leads to the new master', async () => {
    const { redis, spend, told } = await start();
    const { hostname, port } = new URL(other.url);
    const reconnected = new Promise((resolve) => redis.once('reconnecting', resolve));
    await admin.replicaof(hostname, Number(port));
    wire.point(other.url);
    await spend();
    await reconnected;
    await until(() => redis.status === 'ready', { what: 'the new master' });
    await until(async () => (await spend()) && told().length === 2, {
      what: 'an accepted command',
    });
    expect(told()).toEqual([
      ['warn', 'READONLY', 'Redis rejects'],
      ['info', undefined, 'Redis accepts'],
    ]);
    await admin.replicaof('NO', 'ONE');
    wire.aim(server.url);
  });

  test('a response that arrives while the gateway is busy is used', async () => {
    const { budgets } = await start(server.url);
    const allowed: boolean[] = [];
    for (let n = 0; n < 3; n++) {
      const spent = budgets.spend('busy', 2);
      await sent();
      const busyUntil = performance.now() + 200; // longer than the timeout of a command
      while (performance.now() < busyUntil);
      allowed.push((await spent).allowed);
    }
    expect(allowed).toEqual([true, true, false]); // in memory this replica has a share of one
  });

  test('a Redis that accepts every command is not mentioned', async () => {
    const { spend, told } = await start();
    for (let n = 0; n < 5; n++) await spend();
    expect(told()).toEqual([]);
  });
});
