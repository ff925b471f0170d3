import { expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { judgeSchema, schemaFacts, testDatabase } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { asOwner } from '../orders-service.ts';
import { schemaExceptions } from './exceptions.ts';

test('every table of organizations is keyed by the organization first', async () => {
  const database = await testDatabase('keys');
  try {
    await migrate(database.ownerUrl, migrations);
    await asOwner(database, async (owner) =>
      expect(judgeSchema(await schemaFacts(owner), schemaExceptions)).toEqual([]),
    );
  } finally {
    await database.drop();
  }
});
