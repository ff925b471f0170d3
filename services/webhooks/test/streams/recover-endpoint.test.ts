import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { createEndpoints, queueDeliveries } from '../backlog.ts';
import { deliveriesOf, type TestEndpoint, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({
  WEBHOOKS_RETRY_WAITS: '20ms,20ms,20ms,20ms,20ms',
  WEBHOOKS_BROKEN_FAILURES: '6',
  WEBHOOKS_BROKEN_MIN_AGE: '1ms',
});
const hourMs = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

const recover = ({ id, organizationId }: TestEndpoint, since = ago(hourMs), until = '') =>
  under.replica.webhooks.recoverEndpoint({ endpointId: id, organizationId, since, until });

const bodies = ({ receiver }: TestEndpoint) =>
  receiver.received.map(({ body }) => JSON.parse(body));

/** Events, dispatched: seen by another endpoint of the organization. */
const dispatched = async (organizationId: string, count: number): Promise<void> => {
  const witness = await under.endpoint({ organizationId });
  await under.stores.publish(
    Array.from({ length: count }, () => eventsOf(organizationId, 1)).flat(),
  );
  await until(() => witness.receiver.received.length === count, { what: 'the witness' });
  const { id } = witness;
  await under.replica.webhooks.deleteEndpoint({ organizationId, id });
};

test('what was given up comes again as a new delivery of the same bytes, and only once', async () => {
  const endpoint = await under.endpoint({ answer: 500 });
  await under.stores.publish(eventsOf(endpoint.organizationId, 1));
  const [given] = await deliveriesOf(under.replica, endpoint.id, 'EXHAUSTED');
  endpoint.receiver.answer = 204;
  await under.replica.webhooks.verifyEndpoint(endpoint);
  expect(await recover(endpoint)).toMatchObject({ queued: 1, nextSince: '' });
  expect(await recover(endpoint)).toMatchObject({ queued: 0 });
  const [delivered] = await deliveriesOf(under.replica, endpoint.id, 'DELIVERED');
  expect(delivered).toMatchObject({ replayOf: given!.id, sequence: 1 });
  expect(await recover(endpoint)).toMatchObject({ queued: 0 });
  expect(new Set(endpoint.receiver.received.map(({ body }) => body)).size).toBe(1);
});

test('what happened while it was BROKEN comes once it is well, numbered behind the rest', async () => {
  const endpoint = await under.endpoint({ answer: 500 });
  const { organizationId } = endpoint;
  await under.stores.publish(eventsOf(organizationId, 1));
  const { webhooks } = under.replica;
  const status = async () => (await webhooks.getEndpoint(endpoint)).endpoint!.status;
  await until(async () => (await status()) === 'BROKEN', { what: 'BROKEN' });
  await dispatched(organizationId, 3);
  endpoint.receiver.answer = 204;
  expect(await recover(endpoint)).toMatchObject({ queued: 4 });
  const before = endpoint.receiver.received.length;
  await webhooks.verifyEndpoint(endpoint);
  await until(() => endpoint.receiver.received.length === before + 4, { what: 'what was missed' });
  const numbers = endpoint.receiver.received.slice(before).map(({ sequence }) => sequence);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
});

test('the filter as it is now decides, and nothing from before the endpoint is its own', async () => {
  const organizationId = anOrganization();
  await under.endpoint({ organizationId });
  await under.stores.publish(eventsOf(organizationId, 2));
  await until(async () => (await kept(organizationId)) === 2, { what: 'the earlier ones' });
  const late = await under.endpoint({ organizationId, events: ['order.updated'] });
  expect(await recover(late)).toMatchObject({ queued: 0 });
  const { webhooks } = under.replica;
  await webhooks.updateEndpoint({ ...late, disabled: true });
  await under.stores.publish([
    ...eventsOf(organizationId, 1, { type: 'order.updated' }),
    ...eventsOf(organizationId, 1, { type: 'order.sealed' }),
  ]);
  await expect(recover(late)).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
  await until(async () => (await kept(organizationId)) === 4, { what: 'the events to be kept' });
  await webhooks.updateEndpoint({ ...late, disabled: false });
  expect(await recover(late)).toMatchObject({ queued: 1 });
  await until(() => late.receiver.received.length === 1, { what: 'the missed one' });
  expect(bodies(late)[0].event).toBe('order.updated');
});

const kept = async (organizationId: string): Promise<number> => {
  const rows = await under.stores.superuser.query<{ n: number }>(
    'select count(*)::int as n from events where organization_id = $1',
    [organizationId],
  );
  return rows[0]!.n;
};

describe('pending deliveries', () => {
  const waiting = underTest({ WEBHOOKS_RETRY_WAITS: '10m,10m,10m,10m,10m' });
  const aWaitingDelivery = async () => {
    const endpoint = await waiting.endpoint({ answer: 500 });
    await waiting.stores.publish(eventsOf(endpoint.organizationId, 1));
    const [delivery] = await deliveriesOf(waiting.replica, endpoint.id, 'PENDING');
    const attempts = async () =>
      (await waiting.replica.deliveries.getDelivery({ id: delivery!.id })).delivery!.attempts;
    await until(async () => (await attempts()).length === 1, { what: 'the first attempt' });
    endpoint.receiver.answer = 204;
    return { ...endpoint, delivery: delivery! };
  };
  const recoverWaiting = (
    { id, organizationId }: TestEndpoint,
    span: { since?: string; until?: string; includePending?: boolean },
  ) =>
    waiting.replica.webhooks.recoverEndpoint({
      ...{ endpointId: id, organizationId, since: ago(hourMs), until: '', ...span },
    });

  test('are left to their schedule, unless the request includes them', async () => {
    const endpoint = await aWaitingDelivery();
    expect(await recoverWaiting(endpoint, {})).toMatchObject({ queued: 0, retried: 0 });
    const before = ago(hourMs);
    const span = { since: ago(2 * hourMs), until: before, includePending: true };
    expect(await recoverWaiting(endpoint, span)).toMatchObject({ retried: 0 });
    const pending = await waiting.replica.deliveries.getDelivery({ id: endpoint.delivery.id });
    expect(Date.parse(pending.delivery!.dueAt)).toBeGreaterThan(Date.now() + 60_000);

    const included = await recoverWaiting(endpoint, { includePending: true });
    expect(included).toMatchObject({ queued: 0, retried: 1, nextSince: '' });
    const [delivered] = await deliveriesOf(waiting.replica, endpoint.id, 'DELIVERED');
    expect(delivered!.id).toBe(endpoint.delivery.id);
    expect(endpoint.receiver.received.map(({ id }) => id)).toEqual([delivered!.id, delivered!.id]);
    expect(await recoverWaiting(endpoint, { includePending: true })).toMatchObject({ retried: 0 });
  });

  test('of another endpoint, under attempt, with a lost lease, or locked stay as they are', async () => {
    const endpoint = await aWaitingDelivery();
    const other = await waiting.endpoint({ organizationId: endpoint.organizationId, answer: 500 });
    await waiting.stores.publish(eventsOf(endpoint.organizationId, 1));
    await deliveriesOf(waiting.replica, endpoint.id, 'DELIVERED');
    await deliveriesOf(waiting.replica, other.id, 'PENDING');
    const lease = async (until_: string | null) =>
      waiting.stores.superuser.query(
        'update pending_deliveries set lease_until = $2 where delivery_id = $1',
        [endpoint.delivery.id, until_],
      );
    for (const leased of ['infinity', '2026-01-01T00:00:00Z']) {
      await lease(leased);
      expect(await recoverWaiting(endpoint, { includePending: true })).toMatchObject({
        retried: 0,
      });
    }
    await lease(null);
    // a recorder locks rows before endpoints: to wait for one could end in a deadlock
    await waiting.stores.superuser.transaction(async (tx) => {
      await tx.query('select from pending_deliveries where delivery_id = $1 for update', [
        endpoint.delivery.id,
      ]);
      expect(await recoverWaiting(endpoint, { includePending: true })).toMatchObject({
        retried: 0,
      });
    });
    expect(await recoverWaiting(endpoint, { includePending: true })).toMatchObject({ retried: 1 });
    await deliveriesOf(waiting.replica, endpoint.id, 'DELIVERED', 2);
    expect(other.receiver.received).toHaveLength(1);
  });

  test('of more than a thousand are all attempted, in two requests', async () => {
    const organizationId = anOrganization();
    const url = 'https://hooks.example.com/';
    const [id] = await createEndpoints(waiting.stores, { organizationId, url, endpoints: 1 });
    const { superuser } = waiting.stores;
    // so that nothing is attempted meanwhile
    await superuser.query("update endpoints set status = 'BROKEN' where id = $1", [id]);
    await queueDeliveries(waiting.stores, [id!], { organizationId, deliveriesEach: 1200 });
    await superuser.query(
      "update pending_deliveries set due_at = now() + interval '1 h' where endpoint_id = $1",
      [id],
    );
    const recoverAll = (since: string) =>
      waiting.replica.webhooks.recoverEndpoint({
        ...{ endpointId: id!, organizationId, since, until: '', includePending: true },
      });
    const first = await recoverAll(ago(hourMs));
    expect(first).toMatchObject({ queued: 0, retried: 1000, nextSince: first.until });
    expect(await recoverAll(first.nextSince)).toMatchObject({ retried: 200, nextSince: '' });
    const late = await superuser.query(
      'select from pending_deliveries where endpoint_id = $1 and due_at > now()',
      [id],
    );
    expect(late).toEqual([]);
  });
});

describe('the span', () => {
  test('holds from its first millisecond to before its last', async () => {
    const endpoint = await under.endpoint();
    const { organizationId } = endpoint;
    const { webhooks } = under.replica;
    await webhooks.updateEndpoint({ ...endpoint, disabled: true });
    await under.stores.publish(eventsOf(organizationId, 1));
    await until(async () => (await kept(organizationId)) === 1, { what: 'the event' });
    await webhooks.updateEndpoint({ ...endpoint, disabled: false });
    const [row] = await under.stores.superuser.query<{ ms: number }>(
      `select ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint::float8 as ms
       from events where organization_id = $1`,
      [organizationId],
    );
    const at = (ms: number) => new Date(row!.ms + ms).toISOString();
    expect(await recover(endpoint, at(1))).toMatchObject({ queued: 0 });
    expect(await recover(endpoint, at(-5000), at(0))).toMatchObject({ queued: 0, until: at(0) });
    expect(await recover(endpoint, at(0), at(1))).toMatchObject({ queued: 1 });
  });

  test('ends now at the latest: what is yet to come was not looked at', async () => {
    const endpoint = await under.endpoint();
    const { until: reached } = await recover(endpoint, ago(1000), '9999-12-31T00:00:00.000Z');
    expect(Date.parse(reached)).toBeLessThanOrEqual(Date.now());
  });

  test('that ends before it begins is refused', async () => {
    const endpoint = await under.endpoint();
    await expect(recover(endpoint, ago(1000), ago(2000))).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
  });

  test('with more than a thousand events says where to go on, and loses none', async () => {
    const endpoint = await under.endpoint();
    const { organizationId } = endpoint;
    const { webhooks } = under.replica;
    await webhooks.updateEndpoint({ ...endpoint, disabled: true });
    const all = Array.from({ length: 1100 }, () => eventsOf(organizationId, 1)).flat();
    await under.stores.publish(all);
    await until(async () => (await kept(organizationId)) === all.length, {
      what: 'the events',
    });
    await webhooks.updateEndpoint({ ...endpoint, disabled: false });
    const first = await recover(endpoint);
    expect(first.queued).toBe(1000);
    const second = await recover(endpoint, first.nextSince);
    expect(second).toMatchObject({ queued: 100, nextSince: '' });
    await until(() => endpoint.receiver.received.length === all.length, {
      what: 'all of them',
    });
    const seen = new Set(bodies(endpoint).map(({ data }) => data.order.id));
    expect(seen.size).toBe(all.length);
  });
});

test("another organization's endpoint is not found, for recover and for reading", async () => {
  const endpoint = await under.endpoint();
  await under.stores.publish(eventsOf(endpoint.organizationId, 1));
  const { id } = (await deliveriesOf(under.replica, endpoint.id, 'DELIVERED'))[0]!;
  const { webhooks } = under.replica;
  const foreign = { organizationId: anOrganization(), endpointId: endpoint.id };
  const gone = { kind: 'NOT_FOUND', details: { resource: 'webhook_endpoint' } };
  for (const asked of [
    webhooks.recoverEndpoint({ ...foreign, since: ago(hourMs), until: '' }),
    webhooks.rotateSecret({ ...foreign, overlapSeconds: 0 }),
    webhooks.listEndpointDeliveries({ ...foreign, limit: 10 }),
    webhooks.getEndpointDelivery({ ...foreign, id }),
    webhooks.replayEndpointDelivery({ ...foreign, id }),
  ])
    await expect(asked).rejects.toMatchObject(gone);
  // and a delivery of another endpoint is not there either
  const other = await under.endpoint({ organizationId: endpoint.organizationId });
  const crossed = { organizationId: endpoint.organizationId, endpointId: other.id, id };
  const unknown = { kind: 'NOT_FOUND', details: { resource: 'delivery' } };
  await expect(webhooks.getEndpointDelivery(crossed)).rejects.toMatchObject(unknown);
  await expect(webhooks.replayEndpointDelivery(crossed)).rejects.toMatchObject(unknown);
});
