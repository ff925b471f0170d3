/**
 * Appends to the ledger with message authentication (decision 55) against appends without it: each
 * order event is verified once, each custody event is signed for two recipients.
 * `node bench/authenticate-events.ts`
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { migrate, openDatabase, uuidv7 } from '@pto/database';
import {
  messageKeys,
  messageSigner,
  messageVerifier,
  type Sign,
} from '@pto/message-authentication';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../services/custody/migrations/index.ts';
import { appendEvents } from '../services/custody/src/chain/append.ts';
import { integrate } from '../services/custody/src/log/integrate.ts';
import { compare, type Side } from './ratio.ts';
import { withStores } from './with-stores.ts';

const batch = 256;

const ring = (name: string) =>
  messageKeys(name).parse(`bench:${randomBytes(32).toString('base64')}`);
const [orders, webhooks] = [ring('ORDERS_CUSTODY_KEYS'), ring('CUSTODY_WEBHOOKS_KEYS')];
const signAsOrders = messageSigner('orders', { custody: orders });
const verify = messageVerifier({
  sender: 'orders',
  recipient: 'custody',
  keys: orders,
  withoutProof: 'reject',
});
const unchanged: Sign = (message) => message;

/** A ledger of its own; a round verifies and appends a batch, and gives it its places. */
const ledger = async (name: string, authenticated: boolean) => {
  const { ownerUrl, serviceUrl } = await testDatabase('bench');
  await migrate(ownerUrl, migrations);
  const db = await openDatabase({
    url: serviceUrl,
    poolMax: 4,
    statementTimeoutMs: 120_000,
    lockTimeoutMs: 5000,
    telemetry: createTelemetry({ service: 'bench', write: () => {} }),
  });
  const sign = authenticated ? messageSigner('custody', { orders, webhooks }) : unchanged;
  let messages: ReturnType<typeof orderEvent>[] = [];
  const side: Side = {
    name,
    prepare: async () => {
      messages = Array.from({ length: batch }, orderEvent).map(
        authenticated ? signAsOrders : unchanged,
      );
    },
    round: async () => {
      if (authenticated && messages.some(verify)) throw new Error('an event is not authentic');
      await db.transaction((tx) => appendEvents(messages, tx, sign));
      for (let taken = batch; taken > 0; ) taken = await integrate(db);
      return batch;
    },
  };
  return { db, side };
};

const orderEvent = () => {
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
  return {
    topic: orderEventsTopic,
    key: orderId,
    id,
    type: event.type,
    value: toBinary(OrderEventSchema, event),
    partition: 0,
    offset: '0',
  };
};

await withStores(async () => {
  const [authentic, plain] = [
    await ledger('authenticated', true),
    await ledger('without proof', false),
  ];
  await compare('appends to the ledger, log included', authentic.side, plain.side);
  await Promise.all([authentic.db.close(), plain.db.close()]);
});
