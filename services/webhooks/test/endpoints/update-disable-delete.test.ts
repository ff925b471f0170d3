import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { deliveriesOf, pendingCount, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '300ms,300ms,300ms,300ms,10m' }, 2);

/** Whether something waits that would be due by now. */
const waitsBeyondItsTime = async (endpointId: string): Promise<boolean> => {
  const rows = await under.stores.superuser.query(
    `select 1 from pending_deliveries
     where endpoint_id = $1 and due_at < now() - interval '400 ms' and lease_owner is null`,
    [endpointId],
  );
  return rows.length > 0;
};

/** Attempts that some replica still has in hand. */
const inHand = async (endpointId: string): Promise<number> => {
  const rows = await under.stores.superuser.query<{ n: number }>(
    `select count(*)::int as n from pending_deliveries
     where endpoint_id = $1 and lease_until > now()`,
    [endpointId],
  );
  return rows[0]!.n;
};

test('what is pending goes to the new URL, and only once that has proven itself', async () => {
  const { id, organizationId, receiver: old } = await under.endpoint({ answer: 500 });
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => old.received.length === 1, { what: 'the first attempt' });
  const moved = await under.receiver();
  moved.echoes = false;
  const { webhooks } = under.replica;
  const { endpoint } = await webhooks.updateEndpoint({ id, organizationId, url: moved.url });
  expect(endpoint).toMatchObject({ status: 'PENDING_VERIFICATION', url: moved.url });
  await until(() => waitsBeyondItsTime(id), { what: 'the retry to be due and to wait' });
  expect(moved.received).toEqual([]);
  const before = old.received.length;

  // while unverified nothing is sent, and what happens is queued
  const witness = await under.endpoint({ organizationId });
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => witness.receiver.received.length === 1, { what: 'the witness' });
  expect(await webhooks.verifyEndpoint({ id, organizationId })).toMatchObject({ verified: false });
  moved.echoes = true;
  expect(await webhooks.verifyEndpoint({ id, organizationId })).toMatchObject({
    verified: true,
    endpoint: { status: 'ENABLED', consecutiveFailures: 0 },
  });
  const [delivery, next] = await deliveriesOf(under.replica, id, 'DELIVERED', 2);
  expect(moved.received.map((post) => post.id).sort()).toEqual([delivery!.id, next!.id].sort());
  expect(delivery!.id).toBe(old.received[0]!.id);
  expect(old.received).toHaveLength(before);
});

test('a changed URL that echoes at once is ENABLED in the same answer', async () => {
  const { id, organizationId } = await under.endpoint();
  const moved = await under.receiver();
  const { endpoint } = await under.replica.webhooks.updateEndpoint({
    id,
    organizationId,
    url: moved.url,
  });
  expect(endpoint).toMatchObject({ status: 'ENABLED', url: moved.url });
  expect(moved.asked).toHaveLength(1);
});

test('the same URL again is no change, and asks nobody', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  await under.replica.webhooks.updateEndpoint({ id, organizationId, url: receiver.url });
  expect(receiver.asked).toHaveLength(1);
});

test('while disabled nothing is delivered or queued, and what was pending has ended', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  const { webhooks } = under.replica;
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => receiver.received.length > 0, { what: 'the first attempt' });
  const { endpoint } = await webhooks.updateEndpoint({ id, organizationId, disabled: true });
  expect(endpoint).toMatchObject({ disabled: true, status: 'ENABLED' });
  const attempts = receiver.received.length;
  const [ended] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  expect(ended).toMatchObject({ reason: 'disabled', dueAt: '' });

  const witness = await under.endpoint({ organizationId });
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => witness.receiver.received.length === 1, { what: 'the witness' });
  receiver.answer = 204;
  const again = await webhooks.updateEndpoint({ id, organizationId, disabled: false });
  expect(again.endpoint).toMatchObject({ disabled: false, status: 'ENABLED' });
  expect(receiver.asked).toHaveLength(1);
  await under.stores.publish(eventsOf(organizationId, 1, { type: 'order.escalated' }));
  await deliveriesOf(under.replica, id, 'DELIVERED');
  const later = receiver.received.slice(attempts);
  expect(later.map((post) => post.event)).toEqual(['order.escalated']);
});

describe('from the moment of the answer on nothing is sent', () => {
  test.each([
    ['DELETE', 'the replica that has the attempt in hand, and the other', 'deleted'],
    ['disabled: true', 'the replica that has the attempt in hand, and the other', 'disabled'],
  ])('%s, on %s', async (_, __, reason) => {
    for (const { webhooks } of under.replicas) {
      let cut = 0;
      const { id, organizationId, receiver } = await under.endpoint({
        answer: (_request, response) => response.on('close', () => cut++),
      });
      await under.stores.publish([
        ...eventsOf(organizationId, 1),
        ...eventsOf(organizationId, 2),
        ...eventsOf(organizationId, 30),
      ]);
      await until(() => receiver.received.length >= 3, { what: 'attempts in flight' });
      const begun = Date.now();
      if (reason === 'deleted') await webhooks.deleteEndpoint({ id, organizationId });
      else await webhooks.updateEndpoint({ id, organizationId, disabled: true });
      expect(Date.now() - begun).toBeLessThan(5000);
      expect(await inHand(id)).toBe(0);
      const sent = receiver.received.length;
      const ended = await deliveriesOf(under.replica, id, 'EXHAUSTED', 33);
      expect(new Set(ended.map((delivery) => delivery.reason))).toEqual(new Set([reason]));
      await until(() => cut === sent, { what: 'the open requests to be given up' });
      expect(receiver.received).toHaveLength(sent);
      expect(await pendingCount(under.stores)).toBe(0);
    }
  });
});

test('a removed endpoint is not found any more, by nobody', async () => {
  const { id, organizationId } = await under.endpoint();
  const { webhooks } = under.replica;
  await webhooks.deleteEndpoint({ id, organizationId });
  const gone = { kind: 'NOT_FOUND', details: { resource: 'webhook_endpoint' } };
  const which = { id, organizationId };
  await expect(webhooks.getEndpoint(which)).rejects.toMatchObject(gone);
  await expect(webhooks.updateEndpoint({ ...which, disabled: true })).rejects.toMatchObject(gone);
  await expect(webhooks.deleteEndpoint(which)).rejects.toMatchObject(gone);
  await expect(webhooks.verifyEndpoint(which)).rejects.toMatchObject(gone);
  await expect(webhooks.testEndpoint(which)).rejects.toMatchObject(gone);
  await expect(under.replica.deliveries.showEndpoint({ id })).rejects.toMatchObject(gone);
  const rows = await under.stores.superuser.query(
    'select 1 from endpoint_secrets where endpoint_id = $1',
    [id],
  );
  expect(rows).toEqual([]);
});

test("another organization's endpoint is not found", async () => {
  const { id } = await under.endpoint();
  const which = { id, organizationId: anOrganization() };
  const { webhooks } = under.replica;
  await expect(webhooks.getEndpoint(which)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(webhooks.deleteEndpoint(which)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(webhooks.getEndpoint({ ...which, id: 'nonsense' })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
});
