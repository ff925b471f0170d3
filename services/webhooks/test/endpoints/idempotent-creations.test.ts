import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

const under = underTest({}, 2);

/** An Idempotency-Key. @param body stands for the body: another one has another hash. */
const keyed = (idempotencyKey: string, body = 1) => ({
  idempotencyKey,
  bodySha256: Buffer.alloc(32, body),
});
const text = (response: { body: Uint8Array }) => Buffer.from(response.body).toString();

const aRequest = async () => {
  const receiver = await under.receiver();
  return { organizationId: anOrganization(), url: receiver.url, receiver, ...keyed('k') };
};

/** Makes the first request one that ended without a response, as if its process had died. */
const forgetResponse = (organizationId: string) =>
  under.stores.superuser.query(
    `update endpoint_creations set response = null, finish_by = now() - interval '1 s'
    where organization_id = $1`,
    [organizationId],
  );

const count = async (organizationId: string): Promise<number> =>
  (await under.replica.webhooks.listEndpoints({ organizationId })).endpoints.length;

test('the same key and body get the stored response byte for byte, secret included', async () => {
  const { receiver, ...request } = await aRequest();
  const [one, other] = under.replicas;
  const first = await one!.webhooks.createEndpoint(request);
  expect(JSON.parse(text(first))).toMatchObject({
    id: first.endpoint!.id,
    status: 'ENABLED',
    secret: first.secret,
    handshake: { ok: true, reason: null, status_code: 200 },
  });
  const which = { id: first.endpoint!.id, organizationId: request.organizationId };
  await one!.webhooks.updateEndpoint({ ...which, disabled: true });
  await one!.webhooks.rotateSecret({ ...which, endpointId: which.id, overlapSeconds: 0 });
  await one!.deliveries.resealSecrets({});
  const second = await other!.webhooks.createEndpoint(request);
  expect([first.replayed, second.replayed]).toEqual([false, true]);
  expect(text(second)).toBe(text(first));
  expect([await count(request.organizationId), receiver.asked.length]).toEqual([1, 1]);
});

test('the same key with another body is rejected, and another key creates another endpoint', async () => {
  const { receiver: _, ...request } = await aRequest();
  const { webhooks } = under.replica;
  await webhooks.createEndpoint(request);
  await expect(webhooks.createEndpoint({ ...request, ...keyed('k', 2) })).rejects.toMatchObject({
    kind: 'IDEMPOTENCY_KEY_REUSED',
  });
  await webhooks.createEndpoint({ ...request, ...keyed('other') });
  await webhooks.createEndpoint({ ...request, organizationId: anOrganization() });
  expect(await count(request.organizationId)).toBe(2);
});

test('a failed attempt leaves the key unused', async () => {
  const { receiver: _, ...request } = await aRequest();
  const { webhooks } = under.replica;
  const without = { organizationId: request.organizationId, url: request.url };
  const { endpoint } = await webhooks.createEndpoint(without);
  for (let n = 1; n < 20; n++) await webhooks.createEndpoint(without);
  await expect(webhooks.createEndpoint(request)).rejects.toMatchObject({
    kind: 'WEBHOOK_LIMIT_REACHED',
  });
  const { organizationId } = request;
  await webhooks.deleteEndpoint({ organizationId, id: endpoint!.id });
  const made = await webhooks.createEndpoint({ ...request, ...keyed('k', 2) });
  expect(made.replayed).toBe(false);
  // the limit is not checked for a replay
  expect((await webhooks.createEndpoint({ ...request, ...keyed('k', 2) })).replayed).toBe(true);
});

test('twenty concurrent requests with one key on two replicas create one endpoint', async () => {
  const { receiver, ...request } = await aRequest();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => under.replicas[n % 2]!.webhooks.createEndpoint(request)),
  );
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(responses.map(text)).size).toBe(1);
  expect([await count(request.organizationId), receiver.asked.length]).toEqual([1, 1]);
});

test('a request whose deadline ends before the first one gets IDEMPOTENCY_IN_PROGRESS', async () => {
  const { receiver, ...request } = await aRequest();
  const released = receiver.holdHandshakes();
  const first = under.replica.webhooks.createEndpoint(request);
  await until(() => receiver.asked.length === 1, { what: 'the first handshake' });
  const second = under.replica.webhooks.createEndpoint(request, {
    deadline: performance.now() + 1500,
  });
  await expect(second).rejects.toMatchObject({
    kind: 'IDEMPOTENCY_IN_PROGRESS',
    retryAfterSeconds: 1,
  });
  const third = under.replicas[1]!.webhooks.createEndpoint(request);
  released();
  const [one, other] = await Promise.all([first, third]);
  expect([other.replayed, text(other)]).toEqual([true, text(one)]);
  expect(receiver.asked).toHaveLength(1);
});

test('a request that ended without a response is completed by its repetition', async () => {
  const { receiver, ...request } = await aRequest();
  const { webhooks } = under.replica;
  const first = await webhooks.createEndpoint(request);
  await forgetResponse(request.organizationId);
  receiver.echoes = false;
  const second = await webhooks.createEndpoint(request);
  // nobody has seen the first response, so the second one is no replay
  expect(second).toMatchObject({
    replayed: false,
    secret: first.secret,
    endpoint: { id: first.endpoint!.id, status: 'ENABLED' },
    handshake: { ok: false, reason: 'body' },
  });
  const third = await webhooks.createEndpoint(request);
  expect([third.replayed, text(third)]).toEqual([true, text(second)]);
  expect(await count(request.organizationId)).toBe(1);
});

test('of concurrent repetitions after a request without a response one completes it', async () => {
  const { receiver, ...request } = await aRequest();
  await under.replica.webhooks.createEndpoint(request);
  await forgetResponse(request.organizationId);
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, n) => under.replicas[n % 2]!.webhooks.createEndpoint(request)),
  );
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(responses.map(text)).size).toBe(1);
  expect(receiver.asked).toHaveLength(2);
});

test('after 24 hours, and after the deletion of its endpoint, a key creates another endpoint', async () => {
  const { receiver: _, ...request } = await aRequest();
  const { organizationId } = request;
  const { webhooks } = under.replica;
  const made = async () => {
    const { endpoint, replayed } = await webhooks.createEndpoint(request);
    expect(replayed).toBe(false);
    return endpoint!.id;
  };
  const first = await made();
  const age = (interval: string) =>
    under.stores.superuser.query(
      `update endpoint_creations set created_at = now() - interval '${interval}'
      where organization_id = $1`,
      [organizationId],
    );
  await age('23 hours 59 minutes');
  expect((await webhooks.createEndpoint(request)).replayed).toBe(true);
  await age('24 hours');
  const second = await made();
  await webhooks.deleteEndpoint({ organizationId, id: second });
  const third = await made();
  expect(new Set([first, second, third]).size).toBe(3);
});
