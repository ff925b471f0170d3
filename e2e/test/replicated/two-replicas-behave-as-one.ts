import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { inLanes, liveOrder } from '../../load.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { expectDelivered, expectWholeLives, ledgerSize } from '../../proof.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';

export const twoReplicas = (stack: LocalStack): void => {
  /** How much longer a response may take while Redis is unavailable: no request waits for it. */
  const addedMaxMs = 1000;
  /** Of the limits that are measured: requests per minute. */
  const limit = 100;
  /** The error of one limit over two replicas, as a part of the limit. */
  const tolerance = 0.05;
  const revokedWithinMs = 5000;

  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver(stack);
  });
  afterAll(() => receiver?.stop());

  test('orders live through both, and every event is delivered under one id', async () => {
    expect(stack.file().gateways).toHaveLength(2);
    const single = ['auditor', 'operators', 'courier', 'console'];
    const replicated = stack.file().services.filter(({ name }) => !single.includes(name));
    expect(replicated).toHaveLength(8);
    await receiver.subscribe();
    const before = await ledgerSize(stack);
    const ids: string[] = [];
    await inLanes(12, 4, async (n) => {
      ids.push(await liveOrder(stack, `two-${n}`));
    });
    await expectWholeLives(stack, ids, before);
    await expectDelivered(receiver, ids);
  }, 120_000);

  test('equal requests to both replicas create one order', async () => {
    const key = stack.file().organizations[1]!.keys.all;
    const { post } = partner(stack, key);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        post('/orders', orderBody(), { 'idempotency-key': 'same-key' }, n % 2),
      ),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    const replayed = answers.filter((answer) => answer.headers.has('idempotency-replayed'));
    expect([replayed.length, answers[0]?.status]).toEqual([49, 201]);
  });

  const newKey = async (readsPerMinute: number): Promise<{ id: string; key: string }> => {
    const organizationId = stack.file().organizations[0]!.id;
    const request = { organizationId, scopes: ['orders:read'], readsPerMinute };
    const { key, secret } = await operatorClients(stack).access.issueKey(request);
    return { id: key!.id, key: secret };
  };

  /** Sends to both replicas at once. Returns the count of each status, and the 95th percentile. */
  const hammer = async (key: string, requests: number) => {
    const statuses: Record<number, number> = {};
    const tookMs: number[] = [];
    await inLanes(requests, 16, async (n) => {
      const begun = Date.now();
      const { status } = await partner(stack, key).get('/ping', n % 2);
      tookMs.push(Date.now() - begun);
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
    const sorted = tookMs.toSorted((a, b) => a - b);
    return { statuses, mostMs: sorted[Math.floor(sorted.length * 0.95)]! };
  };

  /** A command to the real Redis, and its answer's first line. */
  const redis = (command: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(stack.file().stores.redis!);
      const socket = connect(Number(port), hostname, () => socket.write(`${command}\r\n`));
      socket
        .once('data', (bytes) => {
          socket.destroy();
          resolve(`${bytes}`.split('\r\n')[0] ?? '');
        })
        .once('error', reject);
    });

  /**
   * The limit is kept: nothing but 200 and 429, and as many 200 as there may be.
   * @returns the 95th percentile of the response times, in ms.
   */
  const holds = async (): Promise<number> => {
    const { key } = await newKey(limit);
    const { statuses, mostMs } = await hammer(key, limit * 3);
    expect(Object.keys(statuses).filter((status) => !['200', '429'].includes(status))).toEqual([]);
    expect(Math.abs((statuses[200] ?? 0) - limit)).toBeLessThanOrEqual(limit * tolerance);
    return mostMs;
  };

  /** Both replicas reject a key within five seconds of its revocation. */
  const expectRevocation = async (): Promise<void> => {
    const { id, key } = await newKey(100_000);
    const statuses = async () => {
      const pings = [0, 1].map((replica) => partner(stack, key).get('/ping', replica));
      return `${(await Promise.all(pings)).map(({ status }) => status)}`;
    };
    expect(await statuses()).toBe('200,200');
    await operatorClients(stack).access.revokeKey({ id });
    await until(async () => (await statuses()) === '401,401', {
      what: 'the revocation in both replicas',
      deadlineMs: revokedWithinMs,
    });
  };

  test('both replicas reject a revoked key within five seconds', expectRevocation);

  const withRedis = stores().redis === null ? test.skip : test;

  withRedis('two replicas enforce one limit concurrently, within five percent', async () => {
    await holds();
  });

  withRedis('Redis restarted empty: budgets restart, and nothing else happens', async () => {
    const { key } = await newKey(50);
    expect((await hammer(key, 25)).statuses).toEqual({ 200: 25 });
    expect(await redis('FLUSHALL')).toBe('+OK');
    expect((await hammer(key, 75)).statuses).toEqual({ 200: 50, 429: 25 });
  });

  withRedis('Redis out of memory: each replica enforces its own part', async () => {
    expect(await redis('CONFIG SET maxmemory 1')).toBe('+OK');
    expect(await redis('SET x y')).toMatch(/^-OOM/);
    await holds();
    expect(await redis('CONFIG SET maxmemory 0')).toBe('+OK');
  });

  withRedis(
    'Redis hung, and killed: no replica fails or waits long, and each enforces its own part',
    async () => {
      const calmMs = await holds();
      const { pids } = stack.file().stores;
      process.kill(pids.redis!, 'SIGSTOP');
      expect(await holds()).toBeLessThan(calmMs + addedMaxMs);
      process.kill(pids.redis!, 'SIGCONT');
      // a replica that is back counts from zero once: repeat until both are back
      await until(() => holds().then(() => true), {
        what: 'one budget again',
      });
      process.kill(pids.redis!, 'SIGKILL');
      expect(await holds()).toBeLessThan(calmMs + addedMaxMs);
    },
    60_000,
  );

  withRedis(
    'Redis killed: both replicas still reject a revoked key within five seconds',
    expectRevocation,
  );

  test('the last use of a key is listed, to the minute', async () => {
    const organizationId = stack.file().organizations[0]!.id;
    const { keys } = await until(
      async () => {
        const listed = await operatorClients(stack).access.listKeys({ organizationId });
        return listed.keys.some(({ lastUsedAt }) => lastUsedAt !== '') && listed;
      },
      { what: 'the last use of a key' },
    );
    const used = keys.flatMap(({ lastUsedAt }) => lastUsedAt || []);
    expect(used).toEqual(used.map(() => expect.stringMatching(/:00\.000Z$/)));
  });
};
