import { expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { judgeSchema, schemaFacts, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { migrations } from '../../migrations/index.ts';
import { schemaExceptions } from './exceptions.ts';

test('every table of organizations is keyed by the organization first', async () => {
  const database = await testDatabase('keys');
  const owner = new Client({ connectionString: database.ownerUrl });
  try {
    await migrate(database.ownerUrl, migrations);
    await owner.connect();
    expect(judgeSchema(await schemaFacts(owner), schemaExceptions)).toEqual([]);
  } finally {
    await owner.end();
    await database.drop();
  }
});
