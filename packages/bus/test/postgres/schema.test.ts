import { expect, test } from '@jest/globals';
import { schemaDrift } from '@pto/testing';
import { postgresBusMigrations } from '../../src/postgres/migrations.ts';
import { postgresBusEntities } from '../../src/postgres/schema.ts';

test('the entities declare exactly the tables of the bus on PostgreSQL', async () => {
  expect(await schemaDrift(postgresBusMigrations, postgresBusEntities)).toEqual([]);
});
