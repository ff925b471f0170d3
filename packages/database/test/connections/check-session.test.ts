import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import pg from 'pg';
import { checkSession } from '../../src/connections/check-session.ts';
import { openPool } from '../../src/connections/pool.ts';
import { openForTest } from '../open-for-test.ts';

/** A startup packet (length, protocol, names and values, each ending in a zero byte) without the settings. */
const withoutSettings = (packet: Buffer): Buffer => {
  const words = packet.subarray(8).toString('latin1').split('\0');
  const pairs = Array.from({ length: words.length >> 1 }, (_, n) => words.slice(2 * n, 2 * n + 2));
  const kept = pairs.filter(([name]) => name === 'user' || name === 'database').flat();
  const body = Buffer.from(`${kept.join('\0')}\0\0`, 'latin1');
  const head = Buffer.from(packet.subarray(0, 8));
  head.writeInt32BE(8 + body.length);
  return Buffer.concat([head, body]);
};

let database: TestDatabase;
let pooler: Server;
beforeAll(async () => {
  database = await testDatabase('pooled');
  const { hostname, port } = new URL(database.serviceUrl);
  pooler = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.once('data', (packet) => {
      far.write(withoutSettings(packet));
      near.pipe(far);
    });
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy());
  });
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  pooler?.close();
  await database?.drop();
});

test('a database behind a pooler that ignores startup parameters is not opened', async () => {
  const url = new URL(database.serviceUrl);
  url.port = `${(pooler.address() as AddressInfo).port}`;
  await expect(openForTest(url.href, { statementTimeoutMs: 1234 })).rejects.toThrow(
    /statement_timeout is 0 ms on connections that ask for 1234: a connection pooler/,
  );
});

const requested = { statementTimeoutMs: 1234, lockTimeoutMs: 1000, poolMax: 3 };

test('a pooler that lets two clients share a session is found, whatever the role has set', async () => {
  const server = new pg.Client({
    connectionString: database.serviceUrl,
    statement_timeout: requested.statementTimeoutMs, // as `alter role … set statement_timeout` does
  });
  await server.connect();
  try {
    const client = { query: server.query.bind(server), release: () => {} } as never;
    const transactionMode = { connect: async () => client };
    await expect(checkSession(transactionMode, requested)).rejects.toThrow(
      'two connections share a session: a connection pooler runs in transaction mode',
    );
  } finally {
    await server.end();
  }
});

test.each([1, 3])('PostgreSQL itself passes the check with a pool of %s', async (poolMax) => {
  const options = { ...requested, poolMax };
  const pool = openPool({ url: database.serviceUrl, ...options });
  try {
    await checkSession(pool, options);
    expect([pool.totalCount, pool.idleCount]).toEqual([Math.min(poolMax, 2), Math.min(poolMax, 2)]);
  } finally {
    await pool.end();
  }
});

test('a pool that opens one of two connections can be ended after the error', async () => {
  const pool = openPool({ url: database.serviceUrl, ...requested });
  let calls = 0;
  const connect = async () => {
    if (++calls === 2) throw new Error('sorry, too many clients already');
    return pool.connect();
  };
  await expect(checkSession({ connect } as never, requested)).rejects.toThrow('too many clients');
  await pool.end(); // waits for every client that was not released
});
