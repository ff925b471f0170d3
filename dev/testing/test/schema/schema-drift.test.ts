import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { sqlMigration } from '@pto/database';
import { schemaDrift } from '../../src/schema/schema-drift.ts';

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
    'create index seals_open on seals (number desc) where color is null',
  ]),
];

const properties = {
  number: p.bigint('string').autoincrement(),
  id: p.uuid().primary(),
  color: p.text().nullable(),
  appliedAt: p.datetime().defaultRaw('now()'),
};
const index = {
  name: 'seals_open',
  columns: [{ name: 'number', sort: 'DESC' as const }],
  where: 'color is null',
};

const driftOf = (
  changes: Readonly<Record<string, unknown>>,
  { indexes = [index], tableName = 'seals' } = {},
): Promise<string[]> =>
  schemaDrift(migrations, [
    defineEntity({
      name: 'Seal',
      tableName,
      properties: { ...properties, ...changes } as typeof properties,
      indexes,
    }),
  ]);

test('finds no difference between a partitioned table and its entity', async () => {
  expect(await driftOf({})).toEqual([]);
});

test('names a table without an entity, and an entity without a table', async () => {
  expect(await driftOf({}, { tableName: 'labels' })).toEqual([
    'The table seals has no entity.',
    'The entity of labels has no table.',
  ]);
});

test('names a column without a property, and a property without a column', async () => {
  const { color, ...others } = properties;
  const renamed = { ...others, paint: color };
  const entity = defineEntity({
    name: 'Seal',
    tableName: 'seals',
    properties: renamed,
    indexes: [{ ...index, where: 'paint is null' }],
  });
  const found = await schemaDrift(migrations, [entity]);
  expect(found).toContain('The column seals.color has no property.');
  expect(found).toContain('The entity of seals has a property for paint, which is no column.');
});

test.each([
  [
    'type',
    { color: p.integer().nullable() },
    'The column seals.color is text in the database and integer in the entity.',
  ],
  [
    'nullability',
    { color: p.text() },
    'The column seals.color is nullable in the database and not null in the entity.',
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

test('names an index that is not declared, one that does not exist, and one that differs', async () => {
  expect(await driftOf({}, { indexes: [] })).toEqual([
    'The index seals_open of seals is not declared: CREATE INDEX seals_open ON seals USING btree (number DESC) WHERE (color IS NULL)',
  ]);
  expect(await driftOf({}, { indexes: [index, { ...index, name: 'seals_closed' }] })).toEqual([
    'The entity of seals declares the index seals_closed, which does not exist.',
  ]);
  const [sentence] = await driftOf({}, { indexes: [{ ...index, where: 'color is not null' }] });
  expect(sentence).toMatch(/^The index seals_open of seals is .* in the database and .* entity\.$/);
});
