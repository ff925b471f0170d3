import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  judgeStatements,
  organizationTables,
  recordStatements,
  schemaFacts,
  type TestDatabase,
  testDatabase,
} from '@pto/testing';
import { asOwner, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { everyOperation } from './every-operation.ts';
import { schemaExceptions, statementExceptions } from './exceptions.ts';

let database: TestDatabase;
let recorded: Awaited<ReturnType<typeof recordStatements>>;
let orders: OrdersUnderTest;
beforeAll(async () => {
  database = await testDatabase('statements');
  recorded = await recordStatements(database);
  orders = await startOrdersService({ database });
});
afterAll(() => orders.stop());

test('every statement names the organization of each table, or is an exception', async () => {
  expect(await everyOperation(orders)).toEqual([]);
  const statements = await recorded();
  let tables: ReadonlySet<string> = new Set();
  await asOwner(database, async (owner) => {
    tables = organizationTables(await schemaFacts(owner), schemaExceptions);
  });
  for (const table of tables) expect(statements.join('\n')).toContain(table);
  expect(await judgeStatements(statements, tables, statementExceptions)).toEqual([]);
});
