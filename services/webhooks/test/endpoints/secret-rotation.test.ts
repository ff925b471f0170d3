import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { type TestEndpoint, underTest } from '../under-test.ts';
import { eventsOf, startReplica } from '../webhooks-service.ts';

const under = underTest();

/** Which of the secrets signed what came last, in the header's order. */
const signers = ({ receiver }: TestEndpoint, secrets: readonly string[]): number[] => {
  const { signature, body } = receiver.received.at(-1)!;
  const t = /^t=(\d+)/.exec(signature)![1];
  const by = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'),
  );
  return [...signature.matchAll(/v1=([0-9a-f]+)/g)].map(([, v1]) => by.indexOf(v1!));
};

const rotate = ({ id, organizationId }: TestEndpoint, overlapSeconds: number) =>
  under.replica.webhooks.rotateSecret({ endpointId: id, organizationId, overlapSeconds });

const deliver = async (endpoint: TestEndpoint): Promise<void> => {
  const before = endpoint.receiver.received.length;
  await under.stores.publish(eventsOf(endpoint.organizationId, 1));
  await until(() => endpoint.receiver.received.length > before, { what: 'a delivery' });
};

test('for the overlap both sign, then the new one alone', async () => {
  const endpoint = await under.endpoint();
  const first = await rotate(endpoint, 3600);
  expect(first.secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/);
  const left = Date.parse(first.previousExpiresAt) - Date.now();
  expect(left).toBeGreaterThan(3_500_000);
  expect(left).toBeLessThanOrEqual(3_600_000);
  const secrets = [endpoint.secret, first.secret];
  await deliver(endpoint);
  expect(signers(endpoint, secrets)).toEqual([1, 0]);
  await under.replica.webhooks.testEndpoint(endpoint);
  expect(signers(endpoint, secrets)).toEqual([1, 0]);
  await under.stores.superuser.query(
    'update endpoint_secrets set expires_at = now() where endpoint_id = $1 and expires_at > now()',
    [endpoint.id],
  );
  await deliver(endpoint);
  expect(signers(endpoint, secrets)).toEqual([1]);
});

test('without an overlap the old one ends at once', async () => {
  const endpoint = await under.endpoint();
  const { secret } = await rotate(endpoint, 0);
  await deliver(endpoint);
  expect(signers(endpoint, [endpoint.secret, secret])).toEqual([1]);
});

test('a second rotation gives no secret more time than it had, and four sign at most', async () => {
  const endpoint = await under.endpoint();
  const secrets = [endpoint.secret];
  for (const overlap of [60, 7 * 86_400, 7 * 86_400, 7 * 86_400, 7 * 86_400])
    secrets.push((await rotate(endpoint, overlap)).secret);
  await deliver(endpoint);
  expect(signers(endpoint, secrets)).toEqual([5, 4, 3, 2]);
  const other = await under.endpoint();
  await rotate(other, 60);
  await rotate(other, 3600);
  const rows = await under.stores.superuser.query<{ left: number }>(
    `select extract(epoch from expires_at - now())::float8 as left from endpoint_secrets
     where endpoint_id = $1 and expires_at is not null order by created_at`,
    [other.id],
  );
  expect(rows[0]!.left).toBeLessThanOrEqual(60);
  expect(rows[1]!.left).toBeGreaterThan(3500);
});

test('parallel rotations are all answered, and one secret is the present one', async () => {
  const endpoint = await under.endpoint();
  const rotated = await Promise.all(Array.from({ length: 5 }, () => rotate(endpoint, 60)));
  expect(new Set(rotated.map(({ secret }) => secret)).size).toBe(5);
  const present = await under.stores.superuser.query(
    'select from endpoint_secrets where endpoint_id = $1 and expires_at is null',
    [endpoint.id],
  );
  expect(present).toHaveLength(1);
});

test('an operator rotates as the partner does, with an overlap of a day unless another is given', async () => {
  const endpoint = await under.endpoint();
  const { id } = endpoint;
  const { deliveries } = under.replica;
  const first = await deliveries.rotateEndpointSecret({ id });
  const left = Date.parse(first.previousExpiresAt) - Date.now();
  expect(left).toBeGreaterThan(86_000_000);
  expect(left).toBeLessThanOrEqual(86_400_000);
  await deliver(endpoint);
  expect(signers(endpoint, [endpoint.secret, first.secret])).toEqual([1, 0]);
  const { secret } = await deliveries.rotateEndpointSecret({ id, overlapSeconds: 0 });
  await deliver(endpoint);
  expect(signers(endpoint, [endpoint.secret, first.secret, secret])).toEqual([2]);
  expect(JSON.stringify(await deliveries.showEndpoint({ id }))).not.toContain('whsec_');
  await expect(
    deliveries.rotateEndpointSecret({ id, overlapSeconds: 7 * 86_400 + 1 }),
  ).rejects.toMatchObject({ kind: 'VALIDATION' });
  await expect(deliveries.rotateEndpointSecret({ id: crypto.randomUUID() })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
  await deliver(endpoint);
  expect(signers(endpoint, [secret])).toEqual([0]);
});

test('secrets sealed with an old key are sealed again, still sign, and the old key can be removed', async () => {
  const endpoint = await under.endpoint();
  const [old, fresh] = [1, 2].map((n) => `k${n}:${Buffer.alloc(32, n).toString('base64')}`);
  const both = await startReplica(under.stores, {
    WEBHOOKS_CA_FILE: under.authority.caFile,
    WEBHOOKS_SECRET_KEYS: `${fresh},${old}`,
  });
  try {
    let remaining = Number.POSITIVE_INFINITY;
    while (remaining > 0) ({ remaining } = await both.deliveries.resealSecrets({}));
    const left = await under.stores.superuser.query(
      `select from endpoint_secrets where sealing_key <> 'k2'`,
    );
    expect(left).toEqual([]);
    await both.webhooks.testEndpoint(endpoint);
    expect(signers(endpoint, [endpoint.secret])).toEqual([0]);
  } finally {
    await both.stop();
  }
  const alone = await startReplica(under.stores, {
    WEBHOOKS_CA_FILE: under.authority.caFile,
    WEBHOOKS_SECRET_KEYS: fresh!,
  });
  await alone.stop();
});
