/**
 * Appends to the ledger at a million leaves against appends at ten thousand: what an entry costs
 * must not grow with the log. `node bench/append-entries.ts`
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { migrate, openDatabase, uuidv7 } from '@pto/database';
import { messageKeys, messageSigner, messageVerifier } from '@pto/message-authentication';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../services/custody/migrations/index.ts';
import { appendEvents } from '../services/custody/src/chain/append.ts';
import { integrate } from '../services/custody/src/log/integrate.ts';
import { compare, type Side } from './ratio.ts';
import { withStores } from './with-stores.ts';

const [small, large] = [10_000, Number(process.env.LEAVES ?? 1_000_000)];
const batch = 256;

const ring = (name: string) =>
  messageKeys(name).parse(`bench:${randomBytes(32).toString('base64')}`);
const [orders, webhooks] = [ring('ORDERS_CUSTODY_KEYS'), ring('CUSTODY_WEBHOOKS_KEYS')];
const signOrderEvent = messageSigner('orders', { custody: orders });
const verify = messageVerifier({
  sender: 'orders',
  recipient: 'custody',
  keys: orders,
  withoutProof: 'reject',
});
const sign = messageSigner('custody', { orders, webhooks });

const open = (url: string) =>
  openDatabase({
    url,
    poolMax: 4,
    statementTimeoutMs: 120_000,
    lockTimeoutMs: 5000,
    telemetry: createTelemetry({ service: 'bench', write: () => {} }),
  });

/** A ledger whose log has that many leaves; a round appends a batch and gives it its places. */
const ledgerWith = async (leaves: number) => {
  const { ownerUrl, serviceUrl, superuserUrl } = await testDatabase('bench');
  await migrate(ownerUrl, migrations);
  const [db, admin] = await Promise.all([open(serviceUrl), open(superuserUrl)]);
  await admin.query(
    `insert into log_queue (order_id, sequence, event_hash)
     select gen_random_uuid(), 1, encode(sha256(n::text::bytea), 'hex')
     from generate_series(1, $1::int) n`,
    [leaves],
  );
  for (let done = 0; done < leaves; ) {
    done += await integrate(db);
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${leaves} leaves`);
  }
  await admin.query('vacuum analyze');
  await admin.close();
  const side: Side = {
    name: `${leaves.toLocaleString('en')} leaves`,
    round: async () => {
      const messages = Array.from({ length: batch }, message);
      for (const one of messages) if (verify(one)) throw new Error('not authentic');
      await db.transaction((tx) => appendEvents(messages, tx, sign));
      for (let taken = batch; taken > 0; ) taken = await integrate(db);
      return batch;
    },
  };
  return { db, side };
};

const message = () => {
  const [orderId, id] = [randomUUID(), uuidv7()];
  const event = create(OrderEventSchema, {
    id,
    organizationId: randomUUID(),
    orderId,
    sequence: 1,
    type: 'order.submitted',
    internalType: 'ORDER_SUBMITTED',
    tsUtc: '2026-01-15T09:30:00.000Z',
    payloadJson: '{"sla":"standard","item_count":2}',
    order: { status: 'SUBMITTED', updatedAt: '2026-01-15T09:30:00.000Z' },
  });
  return signOrderEvent({
    topic: 'orders.order-events.v1',
    key: orderId,
    id,
    type: event.type,
    value: toBinary(OrderEventSchema, event),
    partition: 0,
    offset: '0',
  });
};

await withStores(async () => {
  const [many, few] = [await ledgerWith(large), await ledgerWith(small)];
  await compare('appends to the ledger, log included', many.side, few.side);
  await Promise.all([many.db.close(), few.db.close()]);
});
