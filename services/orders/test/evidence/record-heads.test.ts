import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IncomingMessage } from '@pto/bus';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { Client } from 'pg';
import { recordHeads } from '../../src/evidence.ts';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let orders: OrdersUnderTest;
let client: Client;
beforeAll(async () => {
  orders = await startOrdersService();
  client = new Client(orders.database.serviceUrl);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await orders.stop();
});

const organizationId = randomUUID();
const report = (orderId: string, sequence: number, eventHash: string): IncomingMessage => ({
  topic: 't',
  partition: 0,
  offset: '0',
  key: orderId,
  id: orderId,
  type: 'order.submitted',
  value: toBinary(
    CustodyEventSchema,
    create(CustodyEventSchema, { event: { organizationId, orderId }, sequence, eventHash }),
  ),
});

test("one statement records a batch's heads, of each order the highest, and none that is lower", async () => {
  const made = async () => bodyOf(await orders.orders.createOrder(anOrder({ organizationId }))).id;
  const [one, two] = [await made(), await made()];
  const circumstances = { orderId: one };
  await orders.commands.assignOrder({ circumstances, transportOrganization: 'T' });
  await orders.commands.acceptOrder({ circumstances });
  const sql = {
    query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
      (await client.query(text, [...parameters])).rows as Row[],
  };
  await recordHeads(sql, [report(one, 1, 'a'), report(one, 2, 'b'), report(two, 1, 'c')]);
  await recordHeads(sql, [report(one, 1, 'a')]);
  const { heads } = await orders.evidence.listHeads({ orderIds: [one, two] });
  const byOrder = new Map(heads.map((head) => [head.orderId, head]));
  expect(byOrder.get(one)).toMatchObject({ custodySequence: 2, custodyHeadHash: 'b' });
  expect(byOrder.get(two)).toMatchObject({ custodySequence: 1, custodyHeadHash: 'c' });
  const { events } = await orders.evidence.listUnreportedEvents({ pageSize: 1000 });
  expect(events.map(({ orderId, sequence }) => [orderId, sequence])).toEqual([[one, 3]]);
});
