import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { inLanes } from '../load.ts';
import { type Mesh, operator, startMesh } from '../mesh.ts';
import { partner } from '../partner.ts';

/** What an answer may take longer while Redis is away, at most: nobody waits for it to come back. */
const addedMaxMs = 1000;
/** Two doors and one limit: so far may the count be off, in parts of the limit. */
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

/** Knocks at both doors at once: how often each status came, and how long 95 of 100 took at most. */
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

withRedis(
  'one limit over two doors, each at the same moment, to five parts of a hundred',
  async () => {
    await holds(200);
  },
);

withRedis('restarted empty: budgets begin anew, and nothing else happens', async () => {
  const { key } = await newKey(50);
  expect((await hammer(key, 25)).statuses).toEqual({ 200: 25 });
  expect(await redis('FLUSHALL')).toBe('+OK');
  expect((await hammer(key, 75)).statuses).toEqual({ 200: 50, 429: 25 });
});

withRedis('out of memory: each door keeps to its share', async () => {
  expect(await redis('CONFIG SET maxmemory 1')).toBe('+OK');
  expect(await redis('SET x y')).toMatch(/^-OOM/);
  await holds(200);
  expect(await redis('CONFIG SET maxmemory 0')).toBe('+OK');
});

withRedis(
  'hung, and killed: no door fails or waits long, and each keeps to its share',
  async () => {
    const calmMs = await holds(200);
    const { pids } = mesh.file().stores;
    process.kill(pids.redis!, 'SIGSTOP');
    expect(await holds(200)).toBeLessThan(calmMs + addedMaxMs);
    process.kill(pids.redis!, 'SIGCONT');
    // a door that comes back counts anew, once: so ask until both are back
    await until(() => holds(200).then(() => true), {
      what: 'one budget again',
      deadlineMs: 20_000,
    });
    process.kill(pids.redis!, 'SIGKILL');
    expect(await holds(200)).toBeLessThan(calmMs + addedMaxMs);
  },
  60_000,
);

withRedis('killed: a revocation still holds at both doors within five seconds', async () => {
  const { id, key } = await newKey(100_000);
  const codes = () =>
    Promise.all([0, 1].map(async (door) => (await partner(mesh, key).get('/ping', door)).status));
  expect(await codes()).toEqual([200, 200]);
  await operator(mesh, 'key', 'revoke', id);
  await until(async () => `${await codes()}` === '401,401', {
    what: 'the revocation at both doors',
    deadlineMs: 5000,
  });
});
