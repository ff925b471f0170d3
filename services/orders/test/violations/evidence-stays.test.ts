/** That the service does its work with these rights is shown by the other tests of violations and moves. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let service: Client;
beforeAll(async () => {
  under = await startOrdersService();
  service = new Client(under.database.serviceUrl);
  await service.connect();
});
afterAll(async () => {
  await service.end();
  await under.stop();
});

test.each([
  'delete from integrity_violations',
  'truncate integrity_violations',
  "update integrity_violations set reason = 'none'",
  'update integrity_violations set found_at = clock_timestamp()',
  'update integrity_violations set order_id = null',
  'delete from ledger_audits',
  'truncate ledger_audits',
  "insert into ledger_audits (kind) values ('full')",
  'delete from moved_orders',
  'truncate moved_orders',
])("the service's role cannot %s", async (statement) => {
  await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' });
});
