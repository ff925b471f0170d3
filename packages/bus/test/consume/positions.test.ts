import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, type Sql, sqlMigration } from '@pto/database';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { positionsIn } from '../../src/consume/positions.ts';
import { consumerPositions } from '../../src/index.ts';

let database: TestDatabase;
let client: Client;
const texts: string[] = [];
const sql: Sql = {
  query: async <Row>(text: string, parameters: readonly unknown[] = []) => {
    texts.push(text);
    return (await client.query(text, [...parameters])).rows as Row[];
  },
};
beforeAll(async () => {
  database = await testDatabase('positions');
  await migrate(database.ownerUrl, [
    sqlMigration('20261123000000_positions', [...consumerPositions]),
  ]);
  client = new Client(database.serviceUrl);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('partitions that are saved or read at one moment share a statement, and the last of a partition counts', async () => {
  const { save, read } = positionsIn(sql, { group: 'g' });
  await Promise.all([save('t', 1, 5n), save('t', 0, 7n), save('t', 1, 6n), save('u', 1, 9n)]);
  expect(texts).toHaveLength(1);
  const [t, u, none] = await Promise.all(['t', 'u', 'v'].map(read));
  expect(texts).toHaveLength(2);
  expect([...t!].sort()).toEqual([
    [0, 7n],
    [1, 6n],
  ]);
  expect([...u!]).toEqual([[1, 9n]]);
  expect([...none!]).toEqual([]);
});
