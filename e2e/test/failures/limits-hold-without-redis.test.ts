import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { inLanes } from '../../load.ts';
import { type Mesh, startMesh } from '../../mesh.ts';
import { operator } from '../../operator.ts';
import { partner } from '../../partner.ts';

/** How much longer a response may take while Redis is unavailable: no request waits for it. */
const addedMaxMs = 1000;
/** The error of one limit over two replicas, as a part of the limit. */
const tolerance = 0.05;

const withRedis = stores().redis === null ? test.skip : test;

let mesh: Mesh;
beforeAll(async () => {
  mesh = await startMesh({
    args: ['--no-demo', '--replicas', 'gateway=2'],
    env: { GATEWAY_FAILED_AUTH_PER_MINUTE: '1000000', GATEWAY_REJECTION_HOLD: '1ms' },
  });
}, 100_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

const newKey = async (reads: number): Promise<{ id: string; key: string }> => {
  const org = mesh.file().organizations[0]!.id;
  const words = ['--org', org, '--scopes', 'orders:read', '--reads', `${reads}`];
  return (await operator(mesh, 'key', 'issue', ...words)).json;
};

/** Sends to both replicas at once. Returns the count of each status, and the 95th percentile. */
const hammer = async (key: string, requests: number, lanes = 16) => {
  const statuses: Record<number, number> = {};
  const tookMs: number[] = [];
  await inLanes(requests, lanes, async (n) => {
    const begun = Date.now();
    const { status } = await partner(mesh, key).get('/ping', n % 2);
    tookMs.push(Date.now() - begun);
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  const sorted = tookMs.toSorted((a, b) => a - b);
  return { statuses, mostMs: sorted[Math.floor(sorted.length * 0.95)]! };
};

/** A command to the real Redis, and its answer's first line. */
const redis = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(mesh.file().stores.redis!);
    const socket = connect(Number(port), hostname, () => socket.write(`${command}\r\n`));
    socket
      .once('data', (bytes) => {
        socket.destroy();
        resolve(`${bytes}`.split('\r\n')[0] ?? '');
      })
      .once('error', reject);
  });

/** The limit as it is kept: nothing but 200 and 429, and as many 200 as there may be. */
const holds = async (limit: number, allowed = limit): Promise<number> => {
  const { key } = await newKey(limit);
  const { statuses, mostMs } = await hammer(key, limit * 3);
  expect(Object.keys(statuses).filter((status) => !['200', '429'].includes(status))).toEqual([]);
  expect(Math.abs((statuses[200] ?? 0) - allowed)).toBeLessThanOrEqual(allowed * tolerance);
  return mostMs;
};

withRedis('two replicas enforce one limit concurrently, within five percent', async () => {
  await holds(200);
});

withRedis('restarted empty: budgets restart, and nothing else happens', async () => {
  const { key } = await newKey(50);
  expect((await hammer(key, 25)).statuses).toEqual({ 200: 25 });
  expect(await redis('FLUSHALL')).toBe('+OK');
  expect((await hammer(key, 75)).statuses).toEqual({ 200: 50, 429: 25 });
});

withRedis('out of memory: each replica enforces its own part', async () => {
  expect(await redis('CONFIG SET maxmemory 1')).toBe('+OK');
  expect(await redis('SET x y')).toMatch(/^-OOM/);
  await holds(200);
  expect(await redis('CONFIG SET maxmemory 0')).toBe('+OK');
});

withRedis(
  'hung, and killed: no replica fails or waits long, and each enforces its own part',
  async () => {
    const calmMs = await holds(200);
    const { pids } = mesh.file().stores;
    process.kill(pids.redis!, 'SIGSTOP');
    expect(await holds(200)).toBeLessThan(calmMs + addedMaxMs);
    process.kill(pids.redis!, 'SIGCONT');
    // a replica that is back counts from zero once: repeat until both are back
    await until(() => holds(200).then(() => true), {
      what: 'one budget again',
      deadlineMs: 20_000,
    });
    process.kill(pids.redis!, 'SIGKILL');
    expect(await holds(200)).toBeLessThan(calmMs + addedMaxMs);
  },
  60_000,
);

withRedis(
  'killed: a revocation still takes effect in both replicas within five seconds',
  async () => {
    const { id, key } = await newKey(100_000);
    const codes = () =>
      Promise.all(
        [0, 1].map(async (replica) => (await partner(mesh, key).get('/ping', replica)).status),
      );
    expect(await codes()).toEqual([200, 200]);
    await operator(mesh, 'key', 'revoke', id);
    await until(async () => `${await codes()}` === '401,401', {
      what: 'the revocation in both replicas',
      deadlineMs: 5000,
    });
  },
);
