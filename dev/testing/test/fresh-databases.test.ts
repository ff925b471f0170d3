import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dropDatabase, provision } from '@pto/database/provision';
import { Client } from 'pg';
import { stores } from '../src/stores.ts';
import { type TestDatabase, testDatabase, uniqueName } from '../src/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('fresh databases');
});
afterAll(() => database.drop());

const as = async <T>(url: string, statement: string): Promise<T[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
  }
};

const refused = { code: '42501' };

test('the service reads and writes rows of what the owner made, and makes nothing itself', async () => {
  await as(database.ownerUrl, 'CREATE TABLE thing (id bigserial PRIMARY KEY, word text)');
  await as(database.serviceUrl, "INSERT INTO thing (word) VALUES ('seal')");
  await as(database.serviceUrl, "UPDATE thing SET word = 'sealed'");
  expect(await as(database.serviceUrl, 'SELECT word FROM thing')).toEqual([{ word: 'sealed' }]);
  await as(database.serviceUrl, 'DELETE FROM thing');
  for (const statement of [
    'CREATE TABLE mine (id int)',
    'CREATE TEMP TABLE mine (id int)',
    'CREATE SCHEMA mine',
    'CREATE DATABASE mine',
    'CREATE ROLE mine',
    'SELECT lo_create(0)',
    'ALTER TABLE thing ADD COLUMN more int',
    'DROP TABLE thing',
    'TRUNCATE thing',
  ]) {
    await expect(as(database.serviceUrl, statement)).rejects.toMatchObject(refused);
  }
});

test('a role of one database cannot connect to another', async () => {
  const other = await testDatabase('other');
  try {
    const foreign = new URL(database.serviceUrl);
    foreign.pathname = new URL(other.serviceUrl).pathname;
    await expect(as(foreign.href, 'SELECT 1')).rejects.toMatchObject(refused);
  } finally {
    await other.drop();
  }
});

test.each(['postgres', 'template1'])('no role of a database can connect to %s', async (name) => {
  const { ownerUrl, serviceUrl, readerUrl, operatorsUrl } = database;
  for (const url of [ownerUrl, serviceUrl, readerUrl, operatorsUrl]) {
    const shared = new URL(url);
    shared.pathname = `/${name}`;
    await expect(as(shared.href, 'SELECT 1')).rejects.toMatchObject(refused);
  }
});

test('an administrator who is no superuser provisions with the right to connect', async () => {
  const [role, name] = [uniqueName('administrator'), uniqueName('ours')];
  await as(
    stores().postgres,
    `CREATE ROLE ${role} LOGIN PASSWORD 'a' CREATEDB CREATEROLE;
     GRANT CONNECT ON DATABASE postgres TO ${role}`,
  );
  const admin = new URL(stores().postgres);
  admin.username = role;
  admin.password = 'a';
  const passwords = { ownerPassword: 'o', servicePassword: 's', readerPassword: 'r' };
  const { serviceUrl } = await provision(admin.href, name, passwords);
  expect(await as(serviceUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await dropDatabase(admin.href, name);
  await as(stores().postgres, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
});

test('four that provision the same database at once all succeed, and the last password holds', async () => {
  const name = uniqueName('same');
  const passwords = (n: number) => ({
    ownerPassword: `o${n}@:/`,
    servicePassword: `s${n}@:/`,
    readerPassword: `r${n}@:/`,
  });
  await Promise.all([1, 2, 3, 4].map((n) => provision(stores().postgres, name, passwords(n))));
  const { ownerUrl, serviceUrl } = await provision(stores().postgres, name, passwords(5));
  expect(await as(ownerUrl, 'SELECT current_user AS who')).toEqual([{ who: `${name}_owner` }]);
  expect(await as(serviceUrl, 'SELECT current_user AS who')).toEqual([{ who: `${name}_service` }]);
  await dropDatabase(stores().postgres, name);
});

test('a database that somebody else made is not dropped', async () => {
  const name = uniqueName('foreign');
  await as(stores().postgres, `CREATE DATABASE ${name}`);
  await expect(dropDatabase(stores().postgres, name)).rejects.toThrow('is not ours');
  await as(stores().postgres, `DROP DATABASE ${name}`);
});

test('a right that a migration took from the service stays taken when provisioned again', async () => {
  const name = uniqueName('kept');
  const passwords = { ownerPassword: 'o', servicePassword: 's', readerPassword: 'r' };
  const { ownerUrl, serviceUrl } = await provision(stores().postgres, name, passwords);
  await as(
    ownerUrl,
    `CREATE TABLE entry (id int); REVOKE UPDATE, DELETE ON entry FROM ${name}_service`,
  );
  await provision(stores().postgres, name, passwords);
  await as(serviceUrl, 'INSERT INTO entry VALUES (1)');
  await expect(as(serviceUrl, 'DELETE FROM entry')).rejects.toMatchObject(refused);
  await dropDatabase(stores().postgres, name);
});
