import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Level } from '@pto/proto/moves/v1/moves';
import { until } from '@pto/testing';
import { verifySignature } from '../verify-signature.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';
import { arrive, copy, drain, holdUntilQuiet, nextToken, retireAll } from './move.ts';
import { type Cell, twoCells } from './two-cells.ts';

const cells = twoCells({ WEBHOOKS_RETRY_WAITS: '200ms,200ms,200ms,200ms,200ms' });

const createEndpoint = async (cell: Cell, url: string, organizationId = anOrganization()) => {
  const { endpoint, secret } = await cell.webhooks.createEndpoint({ organizationId, url });
  return { organizationId, id: endpoint!.id, secret };
};

/** Publishes events of 20 orders, one after the other, until it is stopped. */
const publisher = (organizationId: string) => {
  const orders = Array.from({ length: 20 }, () => crypto.randomUUID());
  let [published, stopped] = [0, false];
  const start = (cell: Cell) => {
    stopped = false;
    const running = (async () => {
      while (!stopped) {
        const from = Math.floor(published / 20) + 1;
        const orderId = orders[published % 20]!;
        await cell.stores.publish(eventsOf(organizationId, 1, { orderId, from }));
        published++;
        await sleep(1);
      }
    })();
    return async () => {
      stopped = true;
      await running;
    };
  };
  return { start, count: () => published };
};

test('a stream under load moves without a gap, a second delivery or a change of the order', async () => {
  const { a, b } = cells;
  let requests = 0;
  // every seventh request fails once, so that retries are moved, too
  const receiver = await cells.receiver((_, response) => {
    response.writeHead(++requests % 7 === 0 ? 500 : 204).end();
  });
  const accepted: typeof receiver.received = [];
  const answer = receiver.answer as (...given: unknown[]) => void;
  receiver.answer = (request, response, received) => {
    answer(request, response, received);
    if (response.statusCode === 204) accepted.push(received);
  };
  const other = await cells.receiver();
  const { organizationId, id, secret } = await createEndpoint(a, receiver.url);
  const bystander = await createEndpoint(a, other.url);
  const load = publisher(organizationId);
  const otherLoad = publisher(bystander.organizationId);
  const [stop, stopOther] = [load.start(a), otherLoad.start(a)];
  await until(() => accepted.length > 100, { what: 'deliveries of the source' });

  const moved = { organizationId, token: nextToken() };
  await arrive(a, b, moved);
  const first = await copy(a, b, moved, '');
  await until(() => accepted.length > 200, { what: 'more deliveries of the source' });
  const second = await copy(a, b, moved, first);
  await holdUntilQuiet(a, moved, Level.WORK);
  const whenQuiet = receiver.received.length;
  const otherWhenQuiet = other.received.length;
  const publishedWhenQuiet = load.count();
  await until(() => load.count() > publishedWhenQuiet + 50, { what: 'events that queue up' });
  await stop();
  const counts = await drain(a, b, moved, second);
  expect(counts.target).toEqual(counts.source);
  expect(counts.source).toMatchObject({ endpoints: 1n, events: BigInt(load.count()) });
  expect(counts.source.pending_deliveries).toBeGreaterThan(50n);
  // neither the source nor the target sends; another organization's deliveries continue
  await until(() => other.received.length > otherWhenQuiet + 50, { what: 'others to continue' });
  expect(receiver.received.length).toBe(whenQuiet);

  await b.moves.release(moved);
  const stopOfB = load.start(b);
  const publishedByA = load.count();
  await until(() => load.count() > publishedByA + 100, { what: 'events of the target' });
  await stopOfB();
  await stopOther();
  const total = load.count();
  await until(() => accepted.length >= total, { what: 'all deliveries', deadlineMs: 30_000 });
  await until(() => other.received.length >= otherLoad.count(), { what: 'those of the other' });

  expect(accepted.map(({ sequence }) => sequence).sort((x, y) => x - y)).toEqual(
    Array.from({ length: total }, (_, n) => n + 1),
  );
  expect(new Set(accepted.map((one) => one.id)).size).toBe(total);
  for (const { signature, rawBody, at } of receiver.received)
    expect(await verifySignature(signature, rawBody, secret, at / 1000)).toBe(true);
  const seen = new Set<string>();
  const firstAttempts = receiver.received.filter(({ id: one }) => !seen.has(one) && seen.add(one));
  const byOrder = Map.groupBy(firstAttempts, ({ body }) => JSON.parse(body).data.order.id);
  for (const those of byOrder.values()) {
    const numbers = those.map(({ body }) => JSON.parse(body).data.order.sequence);
    expect(numbers).toEqual(numbers.toSorted((x, y) => x - y));
  }
  expect(other.received.length).toBe(otherLoad.count());

  await retireAll(a, moved);
  const left = await a.stores.superuser.query<{ n: number }>(
    `select (select count(*) from deliveries where organization_id = $1)::int
      + (select count(*) from endpoints where organization_id = $1)::int
      + (select count(*) from endpoint_secrets where organization_id = $1)::int as n`,
    [organizationId],
  );
  expect(left).toEqual([{ n: 0 }]);
  expect((await a.webhooks.listEndpoints(bystander)).endpoints).toHaveLength(1);
  expect((await b.webhooks.listEndpoints({ organizationId })).endpoints[0]).toMatchObject({ id });
}, 120_000);
