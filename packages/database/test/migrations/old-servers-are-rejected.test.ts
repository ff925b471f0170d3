import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, type TestDatabase, testDatabase, uniqueName } from '@pto/testing';
import { Client } from 'pg';
import { migrate, sqlMigration } from '../../src/migrations/migrate.ts';
import { dropDatabase, provision } from '../../src/migrations/provision.ts';

/** The server through a proxy that changes the major version in the server's responses. */
let reported: string;
let proxy: Server;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('versions');
  const { hostname, port } = new URL(stores().postgres);
  const major = (await select<{ server_version: string }>('show server_version'))
    .map(({ server_version }) => server_version.split('.')[0])
    .join();
  proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far);
    far.on('data', (part) =>
      near.write(part.toString('latin1').replaceAll(`${major}.`, `${reported}.`), 'latin1'),
    );
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('end', () => other.end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy?.close();
  await database?.drop();
});

const select = async <Row extends object>(text: string): Promise<Row[]> => {
  const client = new Client({ connectionString: stores().postgres });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
};

const through = (url: string): string => {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return changed.href;
};

const passwords = { ownerPassword: 'a', servicePassword: 'b', readerPassword: 'c' };
const migrations = [sqlMigration('20260101000000_first', ['create table first (id int)'])];
const says = /the server is PostgreSQL 15\.\S+: upgrade it to PostgreSQL 16 or newer/;

test('a server of version 15 is not migrated, and the error names both versions', async () => {
  reported = '15';
  await expect(migrate(through(database.ownerUrl), migrations)).rejects.toThrow(says);
});

test('a server of version 15 gets no database and no role', async () => {
  reported = '15';
  const name = uniqueName('old');
  await expect(provision(through(stores().postgres), name, passwords)).rejects.toThrow(says);
  expect(await select(`select 1 from pg_database where datname = '${name}'`)).toEqual([]);
  expect(await select(`select 1 from pg_roles where rolname like '${name}_%'`)).toEqual([]);
});

test('a server of version 16 gets its database and is migrated', async () => {
  reported = '16';
  const name = uniqueName('oldest');
  try {
    const { ownerUrl } = await provision(through(stores().postgres), name, passwords);
    expect(await migrate(ownerUrl, migrations)).toEqual(['20260101000000_first']);
  } finally {
    await dropDatabase(stores().postgres, name);
  }
});
