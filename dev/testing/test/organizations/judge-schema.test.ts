import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { judgeSchema, organizationTables } from '../../src/organizations/judge-schema.ts';
import { type SchemaFacts, schemaFacts } from '../../src/organizations/schema-facts.ts';
import { type TestDatabase, testDatabase } from '../../src/test-database.ts';

let database: TestDatabase;
let facts: SchemaFacts;
beforeAll(async () => {
  database = await testDatabase('judged');
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  for (const statement of [
    'create table queue (id uuid primary key)',
    `create table led (organization_id uuid, id uuid, name text,
       primary key (organization_id, id), unique (organization_id, name) include (id))`,
    'create unique index led_text on led (organization_id, md5(name)) where name is not null',
    `create table days (organization_id uuid not null, id uuid, primary key (organization_id, id))
       partition by range (id)`,
    'create table days_other partition of days default',
    `create table of_led (organization_id uuid, led_id uuid, n int, primary key (organization_id, n),
       foreign key (organization_id, led_id) references led (organization_id, id))`,
    `create table loose (organization_id uuid, id uuid primary key, name text, led_id uuid,
       parent uuid references loose (id))`,
    'create unique index loose_text on loose (md5(name), organization_id)',
    'create table bare (id uuid primary key)',
    `create table crossed (organization_id uuid not null, led_id uuid,
       foreign key (led_id, organization_id) references led (organization_id, id))`,
  ])
    await client.query(statement);
  facts = await schemaFacts(client);
  await client.end();
});
afterAll(() => database.drop());

const tables = { queue: 'its rows belong to no organization' };

test('names each table, key and foreign key without its organization', () => {
  expect(judgeSchema(facts, { tables, keys: {} })).toEqual([
    'bare.organization_id is absent.',
    'loose.organization_id is nullable.',
    'The key bare_pkey of bare begins with id.',
    'The key loose_pkey of loose begins with id.',
    'The key loose_text of loose begins with an expression.',
    'The foreign key crossed_led_id_organization_id_fkey of crossed to led does not contain organization_id.',
    'The foreign key loose_parent_fkey of loose to loose does not contain organization_id.',
  ]);
});

test('accepts the exceptions that have an effect, and names the others', () => {
  const judged = judgeSchema(facts, {
    tables: { ...tables, bare: 'an exception', loose: 'another', absent: 'dropped since' },
    keys: { crossed_led_id_organization_id_fkey: 'an exception', led_pkey: 'none' },
  });
  expect(judged).toEqual([
    'The exception absent is not a table.',
    'The exception led_pkey has no effect.',
  ]);
});

test('the tables of organizations are those without an exception', () => {
  expect([...organizationTables(facts, { tables, keys: {} })].sort()).toEqual([
    'bare',
    'crossed',
    'days',
    'led',
    'loose',
    'of_led',
  ]);
});
