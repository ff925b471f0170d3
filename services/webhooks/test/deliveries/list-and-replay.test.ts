import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { externalIdIn } from '../../src/queue/payload.ts';
import { deliveriesOf, pendingCount, type TestEndpoint, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '20ms,20ms,20ms,20ms,20ms' });

interface Row {
  readonly id: string;
  readonly state: string;
  readonly event: string;
  readonly orderId: string;
  readonly orderExternalId: string;
}

let endpoint: TestEndpoint;
let all: Row[];
beforeAll(async () => {
  const organizationId = anOrganization();
  endpoint = await under.endpoint({ organizationId });
  const neighbour = await under.endpoint({ organizationId });
  // the last digit of an order's id decides what becomes of its deliveries
  endpoint.receiver.answer = (_, response, { body }) => {
    const { id } = JSON.parse(body).data.order;
    response.writeHead(/[0-7]$/.test(id) ? 204 : 500).end();
  };
  const types = ['order.submitted', 'order.sealed', 'order.closed'];
  await under.stores.publish(
    Array.from({ length: 20 }, () => {
      const { orderId } = eventsOf(organizationId, 1)[0]!.event!;
      return types.flatMap((type, n) =>
        eventsOf(organizationId, 1, { orderId, from: n + 1, type }),
      );
    }).flat(),
  );
  await until(() => neighbour.receiver.received.length === 60, {
    what: 'all events',
  });
  await until(async () => (await pendingCount(under.stores)) === 0, {
    what: 'all to end',
  });
  // some that still wait
  endpoint.receiver.answer = () => {};
  await under.stores.publish(Array.from({ length: 5 }, () => eventsOf(organizationId, 1)).flat());
  await until(async () => (await pendingCount(under.stores)) >= 5, { what: 'some to wait' });
  await until(() => neighbour.receiver.received.length === 65, { what: 'the neighbour' });
  all = await list({}, 100);
});

const list = async (filter: Partial<Row>, limit: number): Promise<Row[]> => {
  const found: Row[] = [];
  for (let beforeId = ''; ; ) {
    const page = await under.replica.webhooks.listEndpointDeliveries({
      organizationId: endpoint.organizationId,
      endpointId: endpoint.id,
      ...filter,
      limit,
      beforeId,
    });
    expect(page.deliveries.length).toBeLessThanOrEqual(limit);
    found.push(...page.deliveries);
    if (page.nextId === '') return found;
    beforeId = page.nextId;
  }
};

test('without a filter it is all of them, newest first, each once', () => {
  expect(all).toHaveLength(65);
  const ids = all.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort().reverse());
  for (const state of ['PENDING', 'DELIVERED', 'EXHAUSTED'])
    expect(all.filter((row) => row.state === state).length).toBeGreaterThanOrEqual(3);
});

test('each names the reference of its order, as what is sent does', async () => {
  expect(new Set(all.map((row) => row.orderExternalId))).toEqual(new Set(['PO-7']));
  expect(externalIdIn(Buffer.from('{"data":{"order":{"external_id":null}}}'))).toBe('');
  expect(externalIdIn(Buffer.from('{"of":"a test request"}'))).toBe('');
});

test('an operator gets 50 a page', async () => {
  const { id: endpointId } = endpoint;
  const page = await under.replica.deliveries.listDeliveries({ endpointId });
  expect(page.deliveries.map(({ id }) => id)).toEqual(all.slice(0, 50).map(({ id }) => id));
  expect(page.nextId).toBe(all[49]!.id);
});

describe.each(['', 'PENDING', 'DELIVERED', 'EXHAUSTED'])('state "%s"', (state) => {
  test.each(['', 'order.submitted', 'order.closed', 'order.escalated'])(
    'event "%s"',
    async (event) => {
      for (const orderId of ['', all.at(-1)!.orderId, all[30]!.orderId]) {
        const filter = { state, event, orderId };
        const wanted = all.filter((row) =>
          (Object.keys(filter) as (keyof typeof filter)[]).every(
            (name) => filter[name] === '' || row[name] === filter[name],
          ),
        );
        for (const limit of [7, 100]) expect(await list(filter, limit)).toEqual(wanted);
      }
    },
  );
});

test('a replay is a new delivery of the same bytes; the old one is untouched', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  await under.stores.publish(eventsOf(organizationId, 1));
  const [old] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  const shown = Promise.withResolvers<void>();
  receiver.answer = async (_, response) => {
    await shown.promise;
    response.writeHead(204).end();
  };
  const { deliveries } = under.replica;
  const { delivery } = await deliveries.replayDelivery({ id: old!.id });
  expect(delivery).toMatchObject({ replayOf: old!.id, state: 'PENDING', endpointId: id });
  expect(delivery!.id).not.toBe(old!.id);
  shown.resolve();
  const [again] = await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(again).toMatchObject({ id: delivery!.id, replayOf: old!.id });
  expect(receiver.received.at(-1)).toMatchObject({
    id: delivery!.id,
    event: 'order.submitted',
    body: receiver.received[0]!.body,
  });
  expect((await deliveries.getDelivery({ id: old!.id })).delivery).toEqual(old);
});

test('of ten requests for one replay one queues a delivery, and all return it', async () => {
  const { id, organizationId } = await under.endpoint();
  await under.stores.publish(eventsOf(organizationId, 2));
  const [first, second] = await deliveriesOf(under.replica, id, 'DELIVERED', 2);
  const { deliveries } = under.replica;
  const commandId = randomUUID();
  const replay = () => deliveries.replayDelivery({ id: first!.id, commandId });
  const answers = await Promise.all(Array.from({ length: 10 }, replay));
  answers.push(await replay());
  expect(new Set(answers.map(({ delivery }) => delivery!.id)).size).toBe(1);
  await deliveriesOf(under.replica, id, 'DELIVERED', 3);
  for (const other of [second!.id, answers[0]!.delivery!.id])
    await expect(deliveries.replayDelivery({ id: other, commandId })).rejects.toMatchObject({
      kind: 'IDEMPOTENCY_KEY_REUSED',
    });
  await expect(
    deliveries.replayDelivery({ id: first!.id, commandId: 'once' }),
  ).rejects.toMatchObject({ kind: 'VALIDATION' });
  expect((await deliveriesOf(under.replica, id, 'DELIVERED')).length).toBe(3);
});

test('a repeated test request has the same delivery id, so that its receiver recognizes it', async () => {
  const { id, receiver } = await under.endpoint();
  const { deliveries } = under.replica;
  const commandId = randomUUID();
  for (let n = 0; n < 2; n++)
    expect((await deliveries.sendTest({ id, commandId })).delivered).toBe(true);
  expect(receiver.received.map((one) => one.id)).toEqual([commandId, commandId]);
});

test('there is no replay to an endpoint that is disabled or gone, nor of what never was', async () => {
  const { id, organizationId } = await under.endpoint();
  await under.stores.publish(eventsOf(organizationId, 1));
  const [old] = await deliveriesOf(under.replica, id, 'DELIVERED');
  const { deliveries, webhooks } = under.replica;
  const replay = (which: string) => deliveries.replayDelivery({ id: which });
  await webhooks.updateEndpoint({ id, organizationId, disabled: true });
  await expect(replay(old!.id)).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
  await webhooks.deleteEndpoint({ id, organizationId });
  await expect(replay(old!.id)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(replay(uuidv7())).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(replay('nonsense')).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  // what was delivered to a removed endpoint stays in the log
  expect((await deliveries.getDelivery({ id: old!.id })).delivery?.state).toBe('DELIVERED');
});
