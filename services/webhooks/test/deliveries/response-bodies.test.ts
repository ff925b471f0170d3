/** The beginning of a receiver's answer is stored with the attempt (decision 80). */
import { expect, test } from '@jest/globals';
import { AttemptSchema, TestEndpointResponseSchema } from '@pto/proto/webhooks/v1/webhooks';
import { until } from '@pto/testing';
import type { Answer } from '../receiver.ts';
import { deliveriesOf, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_RETRY_WAITS: '50ms,50ms,50ms,50ms,50ms' });

const answering =
  (...answers: readonly [status: number, body: string | Buffer][]): Answer =>
  (_, response) => {
    const [status, body] =
      answers.length > 1 ? (answers as [number, string][]).shift()! : answers[0]!;
    response.writeHead(status).end(body);
  };

/** The stored answers to an endpoint's deliveries, oldest first; empty: erased, null: none. */
const storedAt = (endpointId: string) =>
  under.stores.superuser.query<{ body: string | null }>(
    `select a.response_body as body from attempts a join deliveries d on d.id = a.delivery_id
     where d.endpoint_id = $1 order by d.id, a.number`,
    [endpointId],
  );

test('partners and operators read what was answered to each attempt', async () => {
  const answer = answering([401, 'signature expired'], [500, ''], [200, '<b>ok</b>']);
  const { id, organizationId } = await under.endpoint({ answer });
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'DELIVERED');
  const { webhooks, deliveries } = under.replica;
  const key = { organizationId, endpointId: id, id: delivery!.id };
  const ofPartner = (await webhooks.getEndpointDelivery(key)).delivery!;
  const ofOperator = (await deliveries.getDelivery({ id: delivery!.id })).delivery!;
  for (const { attempts } of [delivery!, ofPartner, ofOperator])
    expect(attempts.map(({ responseBody }) => responseBody)).toEqual([
      'signature expired',
      '',
      '<b>ok</b>',
    ]);
  const { orderId } = delivery!;
  const ofOrder = await webhooks.listDeliveriesOfOrder({ organizationId, orderId });
  const listed = ofOrder.deliveries[0]!.attempts.map(({ responseBody }) => responseBody);
  expect(listed).toEqual(['', '', '<b>ok</b>']);
  const other = { ...key, organizationId: anOrganization() };
  await expect(webhooks.getEndpointDelivery(other)).rejects.toThrow('no such webhook endpoint');
});

test('of 10 MB with NUL bytes 1 KiB is stored, and the rest is not read', async () => {
  let isSent = false;
  const { id, organizationId } = await under.endpoint({
    answer: (_, response) => {
      response.on('finish', () => {
        isSent = true;
      });
      response.on('error', () => {});
      response.writeHead(200).end(Buffer.alloc(10_000_000, 'a\0'));
    },
  });
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'DELIVERED');
  const body = delivery!.attempts[0]!.responseBody;
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024);
  expect(body).toMatch(/^(?:a\ufffd)+a?$/);
  expect(isSent).toBe(false);
});

test('no log, metric or table but that of attempts has it', async () => {
  const secret = 'answer-of-a-receiver';
  const { id, organizationId, receiver } = await under.endpoint({
    answer: answering([500, secret]),
  });
  await under.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(under.replica, id, 'EXHAUSTED');
  receiver.answer = answering([200, secret]);
  const { webhooks, telemetry, lines } = under.replica;
  const span = { organizationId, endpointId: id, since: '2026-01-01T00:00:00.000Z' };
  await webhooks.recoverEndpoint(span);
  await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(await webhooks.testEndpoint({ organizationId, id })).toMatchObject({ delivered: true });
  expect(lines.join('\n')).not.toContain(secret);
  expect(await telemetry.metrics.metrics()).not.toContain(secret);
  const tables = await under.stores.superuser.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
     and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const having: string[] = [];
  for (const { name } of tables) {
    const [row] = await under.stores.superuser.query<{ has: boolean }>(
      `select exists (select from ${name} t where t::text like '%' || $1 || '%') as has`,
      [secret],
    );
    if (row!.has) having.push(name);
  }
  expect(having).toEqual(['attempts']);
});

test('an answer that the database rejects is not logged with the error', async () => {
  const { superuser } = under.stores;
  const rejected = 'rejected-answer';
  await superuser.query(`alter table attempts add constraint rejected
    check (response_body is distinct from '${rejected}') not valid`);
  const { organizationId } = await under.endpoint({ answer: answering([200, rejected]) });
  await under.stores.publish(eventsOf(organizationId, 1));
  const { lines } = under.replica;
  const line = await until(() => lines.find((one) => one.includes('could not be stored')), {
    what: 'the error',
  });
  expect(line).toContain('violates check constraint');
  expect(lines.join('\n')).not.toContain(rejected);
  await superuser.query('alter table attempts drop constraint rejected');
});

test('no audit row or trace has it: the field is marked', () => {
  for (const { field } of [AttemptSchema, TestEndpointResponseSchema])
    expect(field.responseBody.proto.options?.debugRedact).toBe(true);
});

test('the erasure of an order erases the answers about it, also those of deleted endpoints', async () => {
  const organizationId = anOrganization();
  const [erased, other] = [eventsOf(organizationId, 2), eventsOf(organizationId, 2)];
  const { orderId } = erased[0]!.event!;
  const kept = await under.endpoint({ organizationId, answer: answering([200, 'for Jane Doe']) });
  const gone = await under.endpoint({ organizationId, answer: answering([200, 'for Jane Doe']) });
  await under.stores.publish([...erased, ...other]);
  for (const { id } of [kept, gone]) await deliveriesOf(under.replica, id, 'DELIVERED', 4);
  await under.replica.webhooks.deleteEndpoint({ organizationId, id: gone.id });
  const [erasure] = eventsOf(organizationId, 1, { orderId, from: 3 });
  erasure!.event!.internalType = 'PERSONAL_DATA_ERASED';
  await under.stores.publish([erasure!]);
  await deliveriesOf(under.replica, kept.id, 'DELIVERED', 5);
  const ofOrder = await under.replica.webhooks.listDeliveriesOfOrder({ organizationId, orderId });
  const bodies = ofOrder.deliveries.map(({ event, attempts }) => [
    event,
    attempts[0]!.responseBody,
  ]);
  // the answer to the erasure itself came later
  expect(bodies).toHaveLength(5);
  expect(bodies.filter(([, body]) => body !== '')).toEqual([['order.updated', 'for Jane Doe']]);
  const counts = async (id: string) =>
    Object.groupBy(await storedAt(id), ({ body }) => (body === '' ? 'erased' : 'stored'));
  expect((await counts(kept.id)).erased).toHaveLength(2);
  expect((await counts(kept.id)).stored).toHaveLength(3);
  expect((await counts(gone.id)).erased).toHaveLength(2);
  expect((await counts(gone.id)).stored).toHaveLength(2);
});

test('an organization whose endpoints are all deleted is erased, too, and no other one', async () => {
  const { id, organizationId } = await under.endpoint({ answer: answering([200, 'x']) });
  const stranger = await under.endpoint({ answer: answering([200, 'x']) });
  const [event] = eventsOf(organizationId, 1);
  const { orderId } = event!.event!;
  await under.stores.publish([event!, ...eventsOf(stranger.organizationId, 1, { orderId })]);
  for (const one of [id, stranger.id]) await deliveriesOf(under.replica, one, 'DELIVERED');
  await under.replica.webhooks.deleteEndpoint({ organizationId, id });
  const [erasure] = eventsOf(organizationId, 1, { orderId, from: 2 });
  erasure!.event!.internalType = 'PERSONAL_DATA_ERASED';
  await under.stores.publish([erasure!]);
  await until(async () => (await storedAt(id))[0]!.body === '', { what: 'the erasure' });
  expect(await storedAt(stranger.id)).toEqual([{ body: 'x' }]);
});
