import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { type Database, isoMillis, uuidArray, uuidv7 } from '../src/index.ts';
import { arrayOf } from '../src/values.ts';
import { openForTest } from './open-for-test.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('arrays');
  db = await openForTest(database.serviceUrl, {
    statementTimeoutMs: 3000,
    lockTimeoutMs: 2000,
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const read = async <T>(type: string, array: unknown): Promise<T[]> =>
  (
    await db.query<{ value: T }>(
      `select value from unnest($1::${type}[]) with ordinality as a (value, n) order by n`,
      [array],
    )
  ).map(({ value }) => value);

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

test('PostgreSQL reads the elements that were written, in their order', async () => {
  const ids = [id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'];
  expect(uuidArray(ids)).toBeInstanceOf(Buffer);
  expect(await read('uuid', uuidArray(ids))).toEqual(ids);
  const numbers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
  expect(await read('int', numbers)).toEqual(numbers);
  const texts = ['', '{"a":"\\\\"}', 'NULL', null, 'ä😀,{}', ' "quoted" ', 'x'.repeat(100_000)];
  expect(await read('text', arrayOf('text', texts))).toEqual(texts);
  const doubles = [0.1, -122.41941550000001, null, 5e-324, 1.7976931348623157e308];
  expect(await read('float8', doubles)).toEqual(doubles);
  const values = [Buffer.alloc(0), Buffer.from([0, 255, 92, 34]), Buffer.alloc(9000, 7)];
  expect(await read('bytea', arrayOf('bytea', values))).toEqual(values);
});

test('an empty array is one without elements', async () => {
  const empty: readonly [string, unknown][] = [
    ['uuid', uuidArray([])],
    ['text', arrayOf('text', [])],
    ['bytea', arrayOf('bytea', [])],
  ];
  for (const [type, array] of empty) expect(await read(type, array)).toEqual([]);
});

test('an id in another form is read as PostgreSQL reads it, or rejected', async () => {
  const bare = id.replaceAll('-', '').toUpperCase();
  expect(await read('uuid', uuidArray([bare, id.toUpperCase()]))).toEqual([id, id]);
  const malformed = [
    `${id}0`,
    '',
    id.replace('a', 'g'),
    id.replace('-', '0'),
    id.replace('a', 'é'),
  ];
  for (const text of malformed)
    await expect(read('uuid', uuidArray([id, text]))).rejects.toMatchObject({ code: '22P02' });
});

test('negative zero is stored as zero', async () => {
  expect(await read('float8', [-0])).toEqual([0]);
});

test('ids of one process sort as they were made', () => {
  const ids = Array.from({ length: 20_000 }, () => uuidv7());
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids follow a clock that was an hour ahead for a moment and is right again', () => {
  const now = Date.now();
  const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  expect(timeOf(uuidv7(now + 3_600_000))).toBe(now + 3_600_000);
  expect(timeOf(uuidv7(now))).toBe(now);
  expect(timeOf(uuidv7(now - 10_000))).toBe(now);
});

test('times show milliseconds, rounded down', () => {
  expect(isoMillis('2026-01-15 09:30:00.1239+00')).toBe('2026-01-15T09:30:00.123Z');
  expect(isoMillis('2026-01-15 09:30:00+00')).toBe('2026-01-15T09:30:00.000Z');
  expect(() => isoMillis('2026-01-15 09:30:00')).toThrow();
});
