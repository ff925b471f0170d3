import { createServer, type Server } from 'node:http';
import { connect, createServer as createHttp2Server, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import type { Database, Sql } from '../src/index.ts';
import { openForTest } from './open-for-test.ts';

let database: TestDatabase;
let db: Database;
let http: Server;
let http2: Http2Server;

beforeAll(async () => {
  process.env.FORBID_OUTSIDE_CALLS = '1'; // of this file's process alone
  database = await testDatabase('outside');
  db = await openForTest(database.serviceUrl);
  http = createServer((_, response) => response.end('here'));
  http2 = createHttp2Server((_, response) => response.end('here'));
  for (const server of [http, http2])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  http.closeAllConnections();
  http.close();
  http2.close();
  await db.close();
  await database.drop();
});

const portOf = (server: Server | Http2Server) => (server.address() as AddressInfo).port;

const byFetch = async () => (await fetch(`http://127.0.0.1:${portOf(http)}`)).text();

const byHttp2 = async (session: ReturnType<typeof connect>) => {
  const stream = session.request({ ':path': '/' });
  for await (const _ of stream);
};

const inside = (call: () => Promise<unknown>) =>
  db.transaction(async (tx) => {
    await tx.query("select set_config('pto.outside', 'yes', true)");
    await call();
  });

test('a transaction that calls another server is rolled back', async () => {
  await expect(inside(byFetch)).rejects.toThrow('inside of a transaction');
  const session = connect(`http://127.0.0.1:${portOf(http2)}`);
  await new Promise((resolve) => session.once('connect', resolve));
  await expect(inside(() => byHttp2(session))).rejects.toThrow('an RPC was used inside');
  session.close();
});

test('so is a snapshot', async () => {
  const snapshot = db.snapshot(async (sql: Sql) => {
    await sql.query('select 1');
    await byFetch();
  });
  await expect(snapshot).rejects.toThrow('inside of a transaction');
});

test('a transaction that uses a second connection is rolled back', async () => {
  await expect(inside(() => db.query('select 1'))).rejects.toThrow(
    'a second connection to the database was used inside of a transaction',
  );
});

test('calls before, after and beside a transaction are not its calls', async () => {
  const beside: Promise<string>[] = [byFetch()];
  await db.transaction(async (tx) => {
    await tx.query('select 1');
  });
  await expect(Promise.all([...beside, byFetch()])).resolves.toEqual(['here', 'here']);
});
