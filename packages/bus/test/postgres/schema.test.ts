import { expect, test } from '@jest/globals';
import { schemaDrift } from '@pto/testing';
import { postgresBusEntities, postgresBusMigrations } from '../../src/postgres/bus-schema.ts';

test('the entities declare exactly the tables of the bus on PostgreSQL', async () => {
  expect(await schemaDrift(postgresBusMigrations, postgresBusEntities)).toEqual([]);
});
