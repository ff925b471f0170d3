/**
 * Experiment: 20 writers whose transactions commit late, two processes of the real service that are
 * killed with SIGKILL in turn, and readers of five organizations who follow the feed.
 * `EVENTS=1000000 npm test -- services/custody/test/feed/under-kills` takes as many events. Prints
 * the time from an append to the long poll that shows it, at 50 events a second without kills.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { busSettings, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import type { OrganizationEvent } from '@pto/proto/custody/v1/custody';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';
import { freePort, until } from '@pto/testing';
import { appendEvents } from '../../src/chain/append.ts';
import {
  anOrderId,
  anOrganization,
  custodyWebhooksKeys,
  eventsOf,
  ordersCustodyKeys,
  signAsOrders,
} from '../custody-service.ts';
import { sequencers } from '../order-index/a-sequencer.ts';
import { type FeedUnderTest, open, silent, startFeed } from './a-feed.ts';
import { checkFeed, follow } from './feed-reader.ts';

const eventCount = Number(
  process.env.EVENTS ?? (process.env.EXPERIMENTS === 'weekly' ? 20_000 : 1500),
);
const writerCount = 20;
const organizationCount = 5;
const killEveryMs = 2000;
/** The most events of a transaction. */
const batchMax = 24;
const patienceMs = 120_000 + eventCount * 10;
const latencySeconds = 10;
/** How long a poll takes that no event ends, in ms. */
const pollMs = 20_000;

const signAsCustody = messageSigner('custody', {
  orders: messageKeys('ORDERS_CUSTODY_KEYS').parse(ordersCustodyKeys),
  webhooks: messageKeys('CUSTODY_WEBHOOKS_KEYS').parse(custodyWebhooksKeys),
});

let feed: FeedUnderTest;
let db: Awaited<ReturnType<typeof open>>;
let processes: Awaited<ReturnType<typeof sequencers>>;
let ports: readonly [number, number];
beforeAll(async () => {
  feed = await startFeed();
  db = await open(feed.database.serviceUrl, writerCount);
  processes = await sequencers(feed.database.serviceUrl);
  ports = [await freePort(), await freePort()];
}, 60_000);
afterAll(async () => {
  processes.stop();
  await db.close();
  await feed.stop();
});

/** With production's interval of checkpoints. */
const start = (n: number) =>
  processes.start({ GRPC_PORT: `${ports[n]}`, CUSTODY_CHECKPOINT_INTERVAL: '1s' });

const outgoing = (event: OrderEvent) =>
  signAsOrders({
    topic: orderEventsTopic,
    key: event.orderId,
    id: event.id,
    type: event.type,
    value: toBinary(OrderEventSchema, event),
  });

/** Events of new orders of an organization, several orders mixed, each in its order. */
const batchOf = (organizationId: string, size: number): OrderEvent[] => {
  const orders = [eventsOf(anOrderId(), organizationId, Math.ceil(size / 2))];
  if (size > 1) orders.push(eventsOf(anOrderId(), organizationId, Math.floor(size / 2)));
  return orders.flat().toSorted((a, b) => a.sequence - b.sequence);
};

test(
  'no event is missing, comes twice, out of order or from another organization',
  async () => {
    const organizations = Array.from({ length: organizationCount }, anOrganization);
    const checks = organizations.map(checkFeed);
    const running = [await start(0), await start(1)];
    const readers = organizations.map((id, n) => follow(id, ports, checks[n]!.read));
    let [left, kills, isWriting] = [eventCount, 0, true];

    const write = async () => {
      while (left > 0) {
        const size = Math.min(left, 1 + Math.floor(Math.random() * batchMax));
        left -= size;
        const n = Math.floor(Math.random() * organizationCount);
        const events = batchOf(organizations[n]!, size);
        const messages = events.map((event) => ({ ...outgoing(event), partition: 0, offset: '0' }));
        await db.transaction(async (tx) => {
          await appendEvents(messages, tx, signAsCustody);
          // the entries have their ids in the queue, and commit after later ones were placed
          await sleep(Math.random() < 0.1 ? Math.random() * 1500 : Math.random() * 100);
        });
        checks[n]!.committed(events.map(({ id }) => id));
      }
    };
    const kill = async () => {
      for (let n = 0; isWriting; n = 1 - n) {
        await sleep(killEveryMs); // the pace of the attack
        await running[n]!.kill();
        kills++;
        running[n] = await start(n);
      }
    };
    const begun = performance.now();
    const killing = kill();
    await Promise.all(Array.from({ length: writerCount }, write));
    isWriting = false;
    await killing;
    const seconds = (performance.now() - begun) / 1000;
    for (const check of checks)
      await until(check.isComplete, {
        what: 'all events of an organization',
        deadlineMs: patienceMs,
      });
    await Promise.all(readers.map((reader) => reader.stop()));
    for (const [n, id] of organizations.entries()) {
      const read = checks[n]!.committedCount();
      expect(checks[n]!.outcome()).toEqual({ fault: null, read, missing: 0, unexpected: 0 });
      expect(await feed.requireGapless(id)).toBe(read);
    }
    const failures = readers.reduce((sum, reader) => sum + reader.failures(), 0);
    process.stdout.write(
      `${eventCount} events in ${Math.round(seconds)} s, ${kills} kills, ${failures} failed calls: none missing, none twice, none out of order\n`,
    );
    expect(kills).toBeGreaterThan(0);
    for (const one of running) await one.kill();
  },
  patienceMs * 3,
);

test('a long poll shows an event soon after its append, at 50 a second', async () => {
  const organizationId = anOrganization();
  const running = [await start(0), await start(1)];
  const bus = await openBus(
    readConfig(busSettings, { BUS_DATABASE_URL: processes.busUrl }).settings,
    silent(),
  );
  const read: { event: OrganizationEvent; at: number }[] = [];
  const reader = follow(
    organizationId,
    ports,
    (event) => read.push({ event, at: Date.now() }),
    pollMs,
  );
  const total = 50 * latencySeconds;
  for (let n = 0; n < total; n++) {
    await bus.publish(batchOf(organizationId, 1).map(outgoing));
    await sleep(20); // the pace of the load
  }
  await until(() => read.length === total, { what: 'all events', deadlineMs: 60_000 });
  const stopped = reader.stop();
  await bus.publish(batchOf(organizationId, 1).map(outgoing)); // ends its last poll
  await stopped;
  const rows = await feed.db.query<{ id: string; at: string }>(
    'select id, extract(epoch from appended_at) * 1000 as at from entries where id = any ($1::uuid[])',
    [read.map(({ event }) => event.id)],
  );
  const appendedAt = new Map(rows.map(({ id, at }) => [id, Number(at)]));
  const waits = read
    .map(({ event, at }) => at - appendedAt.get(event.id)!)
    .toSorted((a, b) => a - b);
  const part = (share: number) => Math.round(waits[Math.floor(waits.length * share)]!);
  process.stdout.write(
    `from an append to the long poll: p50 ${part(0.5)} ms, p95 ${part(0.95)} ms, most ${Math.round(waits.at(-1)!)} ms\n`,
  );
  expect(part(0.95)).toBeLessThan(pollMs / 2); // the end of a poll would show it later
  await bus.close();
  for (const one of running) await one.kill();
}, 120_000);
