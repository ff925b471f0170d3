import { expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { judgeSchema, schemaFacts, testDatabase } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { contractOfNextRelease } from '../../migrations/until-next-release.ts';
import { asOwner } from '../orders-service.ts';
import { schemaExceptions } from './exceptions.ts';

test('the organization leads every key, but for those that the next release drops', async () => {
  const database = await testDatabase('keys');
  try {
    await migrate(database.ownerUrl, migrations);
    await asOwner(database, async (owner) => {
      expect(judgeSchema(await schemaFacts(owner), schemaExceptions)).toEqual([]);
      for (const statement of contractOfNextRelease) await owner.query(statement);
      const { tables } = schemaExceptions;
      expect(judgeSchema(await schemaFacts(owner), { tables, keys: {} })).toEqual([]);
    });
  } finally {
    await database.drop();
  }
});
