import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { type TestDatabase, testDatabase } from '@pto/testing';
import {
  type ArrayOf,
  anyOf,
  type Database,
  insertFromArrays,
  type Placeholders,
  statement,
  tablesOf,
  unnest,
} from '../../src/index.ts';
import { openForTest } from '../open-for-test.ts';

const Thing = defineEntity({
  name: 'Thing',
  tableName: 'things',
  properties: { id: p.uuid().primary(), size: p.integer() },
});
const tables = tablesOf([Thing]);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('plans');
  db = await openForTest(database.ownerUrl);
  await db.query('create table things (id uuid primary key, size int)');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface Rows {
  readonly id: ArrayOf<string>;
  readonly size: ArrayOf<number>;
}
const insert = statement((given: Placeholders<Rows>) =>
  insertFromArrays(
    tables,
    'things',
    tables.selectFrom(unnest('t', given, { id: 'uuid', size: 'int' })),
    ({ ref }) => ({ id: ref('t.id'), size: ref('t.size') }),
  ),
);
const select = statement((given: Placeholders<{ ids: ArrayOf<string> }>) =>
  tables.selectFrom('things').select('size').where('id', '=', anyOf(given.ids, 'uuid')),
);

test('statements over arrays are planned once, and see all elements', async () => {
  await db.transaction(async (tx) => {
    for (let n = 0; n < 12; n++) {
      const ids = [crypto.randomUUID(), crypto.randomUUID()].slice(0, 1 + (n % 2));
      await insert(tx, { id: ids, size: ids.map(() => n) });
      expect(await select(tx, { ids })).toEqual(ids.map(() => ({ size: n })));
    }
    const plans = await tx.query<{ once: boolean }>(
      `select custom_plans <= 5 and generic_plans > 5 as once from pg_prepared_statements
       where statement like '%things%'`,
    );
    expect(plans).toEqual([{ once: true }, { once: true }]);
  });
});
