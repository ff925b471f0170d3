import { expect, test } from '@jest/globals';
import { deliveriesOf, pendingCount, underTest } from './under-test.ts';
import { verifySignature } from './verify-signature.ts';
import { eventsOf } from './webhooks-service.ts';

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

test('when the process died in the sixth attempt there is none after it', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  const { superuser } = under.stores;
  // in the place of the fifth's end: as if somebody had begun the sixth long ago
  await superuser.query(`create function die_in_the_sixth() returns trigger language plpgsql as $$
    begin
      new.attempts := 6; new.lease_owner := gen_random_uuid(); new.due_at := now();
      new.leased_at := now() - interval '20 s'; new.lease_until := now() - interval '5 s';
      return new;
    end $$`);
  await superuser.query(`create trigger dies before update on pending_deliveries for each row
    when (new.endpoint_id = '${id}' and new.attempts = 5 and new.lease_until is null)
    execute function die_in_the_sixth()`);
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  expect(delivery!.attempts).toHaveLength(6);
  expect(delivery!.attempts.at(-1)).toMatchObject({ error: 'lost', durationMs: 15_000 });
  expect(receiver.received).toHaveLength(5);
});
