import { expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { judgeSchema, schemaFacts, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { migrations } from '../../migrations/index.ts';
import { contractOfNextRelease } from '../../migrations/until-next-release.ts';
import { schemaExceptions } from './exceptions.ts';

test('the organization leads every key, but for those that the next release drops', async () => {
  const database = await testDatabase('keys');
  const owner = new Client({ connectionString: database.ownerUrl });
  try {
    await migrate(database.ownerUrl, migrations);
    await owner.connect();
    expect(judgeSchema(await schemaFacts(owner), schemaExceptions)).toEqual([]);
    for (const statement of contractOfNextRelease) await owner.query(statement);
    const { tables } = schemaExceptions;
    expect(judgeSchema(await schemaFacts(owner), { tables, keys: {} })).toEqual([]);
  } finally {
    await owner.end();
    await database.drop();
  }
});
