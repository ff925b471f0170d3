import { expect, test } from '@jest/globals';
import { judgeStatements, organizationTables, recordStatements, schemaFacts } from '@pto/testing';
import { Client } from 'pg';
import { underTest } from '../under-test.ts';
import { everyOperation } from './every-operation.ts';
import { schemaExceptions, statementExceptions } from './exceptions.ts';

let recorded: Awaited<ReturnType<typeof recordStatements>>;
const under = underTest(
  {
    WEBHOOKS_BROKEN_FAILURES: '6',
    WEBHOOKS_BROKEN_MIN_AGE: '1ms',
    WEBHOOKS_RETRY_WAITS: '50ms,50ms,50ms,50ms,50ms',
  },
  1,
  async ({ database }) => {
    recorded = await recordStatements(database);
  },
);

test('every statement names the organization of each table, or is an exception', async () => {
  expect(await everyOperation(under)).toEqual([]);
  const owner = new Client({ connectionString: under.stores.database.ownerUrl });
  await owner.connect();
  const tables = organizationTables(await schemaFacts(owner), schemaExceptions);
  await owner.end();
  const statements = await recorded();
  for (const table of tables) expect(statements.join('\n')).toContain(table);
  expect(await judgeStatements(statements, tables, statementExceptions)).toEqual([]);
}, 120_000);
