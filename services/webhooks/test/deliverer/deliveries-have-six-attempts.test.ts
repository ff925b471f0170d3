import { expect, test } from '@jest/globals';
import { deliveriesOf, pendingCount, underTest } from '../under-test.ts';
import { verifySignature } from '../verify-signature.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '40ms,40ms,40ms,40ms,1s' });

test('six POSTs of one delivery, each signed freshly, then it is EXHAUSTED', async () => {
  const { id, organizationId, secret, receiver } = await under.endpoint({ answer: 500 });
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  expect(delivery).toMatchObject({ state: 'EXHAUSTED', reason: '', dueAt: '' });
  expect(delivery!.attempts).toHaveLength(6);
  for (const attempt of delivery!.attempts)
    expect(attempt).toMatchObject({ statusCode: 500, error: '' });
  // nothing is left that could be tried again
  expect(await pendingCount(under.stores)).toBe(0);
  expect(receiver.received).toHaveLength(6);
  expect(new Set(receiver.received.map((post) => post.id))).toEqual(new Set([delivery!.id]));
  expect(new Set(receiver.received.map((post) => post.body)).size).toBe(1);
  for (const post of receiver.received) {
    const [, t] = /^t=(\d+)/.exec(post.signature)!;
    expect(Math.abs(Number(t) - post.at / 1000)).toBeLessThan(5);
    expect(await verifySignature(post.signature, post.body, secret, post.at / 1000)).toBe(true);
  }
  const took = receiver.received[5]!.at - receiver.received[0]!.at;
  expect(took).toBeGreaterThan(1000);
});

test.each([
  ['a redirect', 302, [302, 204]],
  ['410 Gone', 410, [410, 204]],
  ['a client error', 400, [400, 204]],
])('%s is a failure like any other, and a later 2xx delivers', async (_, status, statuses) => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: status });
  receiver.answer = (_request, response) => {
    const answer = receiver.received.length === 1 ? status : 204;
    response.writeHead(answer, { location: receiver.url }).end();
  };
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(delivery!.attempts.map((attempt) => attempt.statusCode)).toEqual(statuses);
});

test('a receiver that is not there is recorded by what went wrong', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  await receiver.close();
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  const [first] = delivery!.attempts;
  expect(first!.statusCode).toBeUndefined();
  expect(first!.error).toBe('connection_refused');
});

/**
 * Lets the delivery look as if its process had died in the sixth attempt of the schedule, after
 * `lost` leases that do not count: from the start, or when the fifth attempt ends.
 */
const die = async (endpointId: string, when: 'insert' | 'update', lost: number) => {
  const { superuser } = under.stores;
  const name = `dies_${endpointId.replaceAll('-', '')}`;
  await superuser.query(`create function ${name}() returns trigger language plpgsql as $$
    begin
      new.attempts := ${6 + lost}; new.lost := ${lost}; new.lease_owner := gen_random_uuid();
      new.due_at := now(); new.leased_at := now() - interval '20 s';
      new.lease_until := now() - interval '5 s'; new.due_if_lost_at := new.lease_until;
      return new;
    end $$`);
  const fifthEnds = 'and new.attempts = 5 and new.lease_until is null';
  await superuser.query(`create trigger ${name} before ${when} on pending_deliveries for each row
    when (new.endpoint_id = '${endpointId}' ${when === 'update' ? fifthEnds : ''})
    execute function ${name}()`);
};

const lostCount = async () => {
  const metrics = await under.replica.telemetry.metrics.metrics();
  return /webhook_attempts_total\{[^}]*outcome="lost"[^}]*\} (\d+)/.exec(metrics)?.[1];
};

test('six lost leases do not exhaust a delivery that was never sent', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  await die(id, 'insert', 0);
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(delivery!.attempts).toMatchObject([{ error: 'lost' }, { statusCode: 204 }]);
  expect(receiver.received).toHaveLength(1);
  expect(await lostCount()).toBe('1');
});

test('a delivery that lost its lease repeatedly is named in the log', async () => {
  const { id, organizationId } = await under.endpoint();
  await die(id, 'insert', 2);
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'DELIVERED');
  const line = under.replica.lines.find((one) => one.includes('lost their lease 3 times or more'));
  expect(JSON.parse(line!).deliveries).toEqual([
    { deliveryId: delivery!.id, endpointId: id, lost: 3 },
  ]);
});

test('a sixth attempt whose process died is made again', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  await die(id, 'update', 0);
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  expect(delivery!.attempts).toHaveLength(7);
  expect(delivery!.attempts[5]).toMatchObject({ error: 'lost', durationMs: 15_000 });
  expect(receiver.received).toHaveLength(6);
});

test('beyond the bound a sixth attempt whose process died is the last', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  await die(id, 'update', 5);
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  expect(delivery!.attempts).toHaveLength(6);
  expect(delivery!.attempts.at(-1)).toMatchObject({ error: 'lost', durationMs: 15_000 });
  expect(receiver.received).toHaveLength(5);
});
