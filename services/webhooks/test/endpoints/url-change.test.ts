import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { deliveriesOf, type TestEndpoint, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_BROKEN_SILENCE: '72h' }, 2);

const dayAgo = () => new Date(Date.now() - 86_400_000).toISOString();

/** Publishes events of the endpoint's organization; resolves when they were dispatched. */
const dispatch = async ({ organizationId }: TestEndpoint, count: number, type?: string) => {
  const witness = await under.endpoint({ organizationId });
  await under.stores.publish(eventsOf(organizationId, count, type ? { type } : {}));
  await until(() => witness.receiver.received.length === count, { what: 'the witness' });
  await under.replica.webhooks.deleteEndpoint({ organizationId, id: witness.id });
};

/** An endpoint that got one event at its first URL, and whose new URL does not verify yet. */
const movedEndpoint = async (events?: readonly string[]) => {
  const endpoint = await under.endpoint(events ? { events } : {});
  await under.stores.publish(eventsOf(endpoint.organizationId, 1));
  await deliveriesOf(under.replica, endpoint.id, 'DELIVERED');
  return { endpoint, receiver: await move(endpoint) };
};

const move = async ({ id, organizationId }: TestEndpoint) => {
  const receiver = await under.receiver();
  receiver.echoes = false;
  await under.replica.webhooks.updateEndpoint({ id, organizationId, url: receiver.url });
  return receiver;
};

const verify = async ({ id, organizationId }: TestEndpoint) =>
  (await under.replica.webhooks.verifyEndpoint({ id, organizationId })).verified;

const recover = async ({ id, organizationId }: TestEndpoint) =>
  under.replica.webhooks.recoverEndpoint({ endpointId: id, organizationId, since: dayAgo() });

const verifyBy = async ({ id }: TestEndpoint) =>
  (
    await under.stores.superuser.query<{ left: number | null }>(
      'select extract(epoch from verify_by - now())::float8 as left from endpoints where id = $1',
      [id],
    )
  )[0]!.left;

test('events that occur while a new URL is verified go to it, and the stream has no gap', async () => {
  const { endpoint, receiver } = await movedEndpoint();
  await dispatch(endpoint, 3);
  expect(receiver.received).toEqual([]);
  expect(await verify(endpoint)).toBe(false);
  receiver.echoes = true;
  expect(await verify(endpoint)).toBe(true);
  await until(() => receiver.received.length === 3, { what: 'the events' });
  expect(receiver.received.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
  expect(await recover(endpoint)).toMatchObject({ queued: 0 });
  await dispatch(endpoint, 1);
  await until(() => receiver.received.length === 4, { what: 'the next event' });
  expect(receiver.received.at(-1)!.sequence).toBe(5);
  expect(endpoint.receiver.received).toHaveLength(1);
  expect(await verifyBy(endpoint)).toBeNull();
});

test('the event filter and the disabled flag hold while a new URL is verified', async () => {
  const { endpoint, receiver } = await movedEndpoint(['order.submitted', 'order.escalated']);
  const { id, organizationId } = endpoint;
  await dispatch(endpoint, 1, 'order.sealed');
  await under.replica.webhooks.updateEndpoint({ id, organizationId, disabled: true });
  await dispatch(endpoint, 1, 'order.submitted');
  await under.replica.webhooks.updateEndpoint({ id, organizationId, disabled: false });
  await dispatch(endpoint, 1, 'order.escalated');
  receiver.echoes = true;
  expect(await verify(endpoint)).toBe(true);
  await until(() => receiver.received.length === 1, { what: 'the event' });
  expect(receiver.received[0]).toMatchObject({ event: 'order.escalated', sequence: 2 });
});

test('nothing is queued for an endpoint that was never verified, nor for one that was BROKEN', async () => {
  const { webhooks } = under.replica;
  const never = await under.receiver();
  never.echoes = false;
  const broken = await under.endpoint();
  const { organizationId } = broken;
  const { endpoint } = await webhooks.createEndpoint({ organizationId, url: never.url });
  await under.stores.superuser.query("update endpoints set status = 'BROKEN' where id = $1", [
    broken.id,
  ]);
  const receiver = await move(broken);
  await dispatch(broken, 1);
  for (const [one, id] of [
    [never, endpoint!.id],
    [receiver, broken.id],
  ] as const) {
    one.echoes = true;
    expect(await verify({ ...broken, id })).toBe(true);
    expect(await recover({ ...broken, id })).toMatchObject({ queued: 1 });
    await until(() => one.received.length === 1, { what: 'the recovered event' });
  }
});

test('after 72 hours without verification the queue ends, and the stream shows the gap', async () => {
  const { endpoint, receiver } = await movedEndpoint();
  expect(await verifyBy(endpoint)).toBeCloseTo(72 * 3600, -2);
  await dispatch(endpoint, 2);
  await under.stores.superuser.query('update endpoints set verify_by = now() where id = $1', [
    endpoint.id,
  ]);
  const ended = await deliveriesOf(under.replica, endpoint.id, 'EXHAUSTED', 2);
  expect(ended.map(({ reason }) => reason)).toEqual(['unverified', 'unverified']);
  await dispatch(endpoint, 1);
  receiver.echoes = true;
  expect(await verify(endpoint)).toBe(true);
  await dispatch(endpoint, 1);
  await until(() => receiver.received.length === 1, { what: 'the event after verification' });
  expect(receiver.received[0]!.sequence).toBe(4);
  expect(await recover(endpoint)).toMatchObject({ queued: 3 });
  await until(() => receiver.received.length === 4, { what: 'the recovered events' });
  const numbers = receiver.received.map(({ sequence }) => sequence);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5]);
});

test('a handshake with a URL that was changed meanwhile verifies nothing', async () => {
  const { endpoint, receiver } = await movedEndpoint();
  receiver.echoes = true;
  const { superuser } = under.stores;
  let verifying: Promise<boolean> = Promise.resolve(true);
  await superuser.transaction(async (tx) => {
    await tx.query('update endpoints set url_version = url_version + 1 where id = $1', [
      endpoint.id,
    ]);
    verifying = verify(endpoint);
    const isBlocked = async () =>
      (
        await superuser.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length > 0;
    await until(isBlocked, { what: 'the result of the handshake to wait for the change' });
  });
  expect(await verifying).toBe(false);
  expect(await verifyBy(endpoint)).not.toBeNull();
});

test('another URL change does not extend the time for verification', async () => {
  const { endpoint } = await movedEndpoint();
  await under.stores.superuser.query(
    "update endpoints set verify_by = now() + interval '1 hour' where id = $1",
    [endpoint.id],
  );
  const receiver = await move(endpoint);
  expect(await verifyBy(endpoint)).toBeLessThanOrEqual(3600);
  receiver.echoes = true;
  expect(await verify(endpoint)).toBe(true);
  await move(endpoint);
  expect(await verifyBy(endpoint)).toBeCloseTo(72 * 3600, -2);
});

test('a handshake of the old URL does not enable the new one', async () => {
  const endpoint = await under.endpoint();
  const { id, organizationId, receiver: old } = endpoint;
  const { webhooks } = under.replica;
  const released = old.holdHandshakes();
  const asked = old.asked.length;
  const verified = webhooks.verifyEndpoint({ id, organizationId });
  await until(() => old.asked.length > asked, { what: 'the handshake of the old URL' });
  const receiver = await move(endpoint);
  released();
  expect(await verified).toMatchObject({
    verified: false,
    handshake: { ok: true },
    endpoint: { status: 'PENDING_VERIFICATION', url: receiver.url },
  });
  // nor that of the first URL of three
  const next = await move(endpoint);
  await dispatch(endpoint, 1);
  expect([receiver.received, next.received]).toEqual([[], []]);
  next.echoes = true;
  expect(await verify(endpoint)).toBe(true);
});
