import { expect, test } from '@jest/globals';
import { schemaDrift } from '@pto/testing';
import { migrations } from '../../operators/migrations/index.ts';
import { entities } from '../src/schema/tables.ts';

test('the declared columns are those of the database that the operators service migrates', async () => {
  expect(await schemaDrift(migrations, entities, { part: true })).toEqual([]);
});
