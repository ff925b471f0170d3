import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { sqlMigration } from '@pto/database';
import { schemaDrift } from '../src/schema-drift.ts';

const migrations = [
  sqlMigration('20260101000000_seals', [
    `create table seals (
      number bigint generated always as identity,
      id uuid not null,
      color text,
      applied_at timestamptz not null default now(),
      primary key (id)
    ) partition by range (id)`,
    'create table seals_other partition of seals default',
  ]),
];

const properties = {
  number: p.bigint('string').autoincrement(),
  id: p.uuid().primary(),
  color: p.text().nullable(),
  appliedAt: p.datetime().defaultRaw('now()'),
};
const driftOf = (
  changes: Readonly<Record<string, unknown>>,
  { tableName = 'seals' } = {},
): Promise<string[]> =>
  schemaDrift(migrations, [
    defineEntity({
      name: 'Seal',
      tableName,
      properties: { ...properties, ...changes } as typeof properties,
    }),
  ]);

test('finds no difference between a partitioned table and its entity', async () => {
  expect(await driftOf({})).toEqual([]);
});

test('names a table without an entity, and an entity without a table', async () => {
  const found = await driftOf({}, { tableName: 'labels' });
  expect(found).toContain('The table seals is present in the database and absent in the entity.');
  expect(found).toContain('The table labels is absent in the database and present in the entity.');
});

test('names a column without a property, and a property without a column', async () => {
  const { color, ...others } = properties;
  const renamed = { ...others, paint: color };
  const entity = defineEntity({
    name: 'Seal',
    tableName: 'seals',
    properties: renamed,
  });
  const found = await schemaDrift(migrations, [entity]);
  expect(found).toContain(
    'The column seals.color is text or null in the database and absent in the entity.',
  );
  expect(found).toContain(
    'The column seals.paint is absent in the database and text or null in the entity.',
  );
});

test('of a part of the database only what is declared is compared', async () => {
  const { color, ...others } = properties;
  const of = (more: object) =>
    defineEntity({
      name: 'Seal',
      tableName: 'seals',
      properties: { ...others, ...more } as typeof others,
    });
  expect(await schemaDrift(migrations, [of({})], { part: true })).toEqual([]);
  expect(await schemaDrift(migrations, [of({ paint: color })], { part: true })).toHaveLength(1);
});

test.each([
  [
    'type',
    { color: p.integer().nullable() },
    'The column seals.color is text or null in the database and integer or null in the entity.',
  ],
  [
    'nullability',
    { color: p.text() },
    'The column seals.color is text or null in the database and text in the entity.',
  ],
  [
    'default',
    { appliedAt: p.datetime() },
    'The default of seals.applied_at is now() in the database and absent in the entity.',
  ],
  [
    'numbering',
    { number: p.bigint('string') },
    'The default of seals.number is numbered in the database and absent in the entity.',
  ],
  [
    'primary key',
    { number: p.bigint('string').autoincrement().primary() },
    'The primary key of seals is id in the database and number, id in the entity.',
  ],
])('names a %s that differs', async (_what, changes, sentence) => {
  expect(await driftOf(changes)).toContain(sentence);
});
