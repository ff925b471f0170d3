import { expect, test } from '@jest/globals';
import { schemaDrift } from '@pto/testing';
import { migrations } from '../migrations/index.ts';
import { entities } from '../src/schema/tables.ts';

test('the entities declare exactly the tables of the migrated database', async () => {
  expect(await schemaDrift(migrations, entities)).toEqual([]);
});
