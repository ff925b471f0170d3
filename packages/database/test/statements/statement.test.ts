import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import {
  type ArrayOf,
  type Database,
  type Placeholders,
  type Sql,
  statement,
  tablesOf,
  unnest,
  uuidArray,
} from '../../src/index.ts';
import { arrayOf } from '../../src/values.ts';
import { openForTest } from '../open-for-test.ts';

const Bin = defineEntity({
  name: 'Bin',
  tableName: 'bins',
  properties: {
    id: p.uuid().primary(),
    size: p.integer(),
    label: p.text().nullable(),
    digest: p.blob(),
  },
});
const tables = tablesOf([Bin]);

const columns = { id: 'uuid', size: 'int', label: 'text', digest: 'bytea' } as const;
interface Bins {
  readonly id: ArrayOf<string>;
  readonly size: ArrayOf<number>;
  readonly label: ArrayOf<string | null>;
  readonly digest: ArrayOf<Uint8Array>;
}
const insert = statement((given: Placeholders<Bins>) =>
  tables
    .insertInto('bins')
    .columns(['id', 'size', 'label', 'digest'])
    .expression((eb) =>
      eb.selectFrom(unnest('b', given, columns)).select(['b.id', 'b.size', 'b.label', 'b.digest']),
    ),
);
const between = statement((given: Placeholders<{ size: number }>) =>
  tables
    .selectFrom('bins')
    .select(['id', 'label'])
    .where('size', '>=', given.size)
    .where('size', '<=', given.size)
    .where('id', '<>', '00000000-0000-7000-8000-000000000000')
    .orderBy('id'),
);

const ids = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('statement');
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(
    'create table bins (id uuid primary key, size int not null, label text, digest bytea not null)',
  );
  await owner.query('grant all on bins to public');
  await owner.end();
  db = await openForTest(database.serviceUrl);
  const written = await insert(db, {
    id: uuidArray(ids),
    size: [3, 4],
    label: arrayOf('text', ['a', null]),
    digest: arrayOf('bytea', [Buffer.from('ab', 'hex'), Buffer.alloc(0)]),
  });
  expect(written).toEqual([]);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Records the statements that run on the database. */
const recorded = () => {
  const runs: { text: string; values: readonly unknown[] }[] = [];
  const sql: Sql = {
    query: (text, values = []) => {
      runs.push({ text, values });
      return db.query(text, values);
    },
  };
  return { sql, runs };
};

test('a statement is built once, however often it runs', async () => {
  let built = 0;
  const read = statement((given: Placeholders<{ id: string }>) => {
    built++;
    return tables.selectFrom('bins').select('size').where('id', '=', given.id);
  });
  expect(built).toBe(0);
  expect(await read(db, { id: ids[0]! })).toEqual([{ size: 3 }]);
  expect(await read(db, { id: ids[1]! })).toEqual([{ size: 4 }]);
  expect(built).toBe(1);
});

test('all uses of a parameter are one parameter, beside the values of the build', async () => {
  const { sql, runs } = recorded();
  expect(await between(sql, { size: 4 })).toEqual([{ id: ids[1], label: null }]);
  expect(await between(sql, { size: 3 })).toEqual([{ id: ids[0], label: 'a' }]);
  expect(runs[0]!.text).toContain('"size" >= $1 and "size" <= $1 and "id" <> $2');
  expect(runs[0]!.text).toBe(runs[1]!.text);
  expect(runs.map(({ values }) => values.length)).toEqual([2, 2]);
});

test('two statements of one builder have parameters of their own', async () => {
  const other = statement((given: Placeholders<{ size: number }>) =>
    tables.selectFrom('bins').select('id').where('size', '=', given.size),
  );
  const { sql, runs } = recorded();
  expect(await other(sql, { size: 3 })).toEqual([{ id: ids[0] }]);
  expect(await between(sql, { size: 3 })).toHaveLength(1);
  expect(runs.map(({ values }) => values[0])).toEqual([3, 3]);
});

test('arrays make rows, and their numbers begin at 1', async () => {
  const numbered = statement((given: Placeholders<Pick<Bins, 'id' | 'label'>>) =>
    tables
      .selectFrom(unnest('g', given, { id: 'uuid', label: 'text' }))
      .leftJoin('bins', 'bins.id', 'g.id')
      .select(['g.n', 'g.label', 'bins.size'])
      .orderBy('g.n'),
  );
  const rows: { n: string; label: string; size: number | null }[] = await numbered(db, {
    id: ids,
    label: ['x', null],
  });
  expect(rows).toEqual([
    { n: '1', label: 'x', size: 3 },
    { n: '2', label: null, size: 4 },
  ]);
});

test('a parameter of another name or type does not compile', () => {
  const never = () => {
    // @ts-expect-error: no such parameter
    void between(db, { length: 3 });
    // @ts-expect-error: another type
    void between(db, { size: 'large' });
    // @ts-expect-error: the parameters are missing
    void between(db);
    statement((given: Placeholders<{ id: string }>) =>
      // @ts-expect-error: the column has another type
      tables.selectFrom('bins').select('id').where('size', '=', given.id),
    );
    statement((given: Placeholders<{ id: ArrayOf<string> }>) =>
      // @ts-expect-error: the array has another element type
      tables.selectFrom(unnest('g', given, { id: 'int' })).select('g.id'),
    );
    statement((given: Placeholders<{ id: ArrayOf<string> }>) =>
      // @ts-expect-error: no such column
      tables.selectFrom(unnest('g', given, { id: 'uuid' })).select('g.size'),
    );
  };
  expect(never).toBeDefined();
});
