import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { inLanes, liveOrder } from '../load.ts';
import { type Mesh, startMesh } from '../mesh.ts';
import { operator } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { expectDelivered, expectWholeLives } from '../proof.ts';
import { type Receiver, startReceiver } from '../receiver.ts';

const revokedWithinMs = 5000;

let mesh: Mesh;
let receiver: Receiver;
beforeAll(async () => {
  mesh = await startMesh({
    args: ['--no-demo', '--replicas', 'gateway=2,orders=2,custody=2,webhooks=2'],
    env: {
      GATEWAY_READS_PER_MINUTE: '100000',
      GATEWAY_WRITES_PER_MINUTE: '100000',
      GATEWAY_REQUESTS_IN_FLIGHT: '1000',
      GATEWAY_FAILED_AUTH_PER_MINUTE: '100000',
      GATEWAY_REJECTED_PER_MINUTE: '100000',
      GATEWAY_REJECTION_HOLD: '1ms',
    },
  });
  receiver = await startReceiver(mesh);
});
afterAll(async () => {
  await receiver?.stop();
  await mesh?.stop();
  mesh?.forget();
});

test('orders live through both, and every event is delivered under one id', async () => {
  expect(mesh.file().gateways).toHaveLength(2);
  const single = ['auditor', 'operators'];
  const replicated = mesh.file().services.filter(({ name }) => !single.includes(name));
  expect(replicated).toHaveLength(8);
  await receiver.subscribe();
  const ids: string[] = [];
  await inLanes(20, 4, async (n) => {
    ids.push(await liveOrder(mesh, `two-${n}`));
  });
  await expectWholeLives(mesh, ids);
  await expectDelivered(receiver, ids);
}, 120_000);

test('equal requests to both replicas create one order', async () => {
  const key = mesh.file().organizations[1]!.keys.all;
  const { post } = partner(mesh, key);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      post('/orders', orderBody(), { 'idempotency-key': 'same-key' }, n % 2),
    ),
  );
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  const replayed = answers.filter((answer) => answer.headers.has('idempotency-replayed'));
  expect([replayed.length, answers[0]?.status]).toEqual([49, 201]);
});

test('both replicas share one limit', async () => {
  const [first] = mesh.file().organizations;
  const issued = await operator(
    mesh,
    'key',
    'issue',
    '--org',
    first!.id,
    '--scopes',
    'orders:read',
    '--reads',
    '10',
  );
  const { get } = partner(mesh, (issued.json as { key: string }).key);
  const answers = [];
  for (let n = 0; n < 20; n++) answers.push(await get('/ping', n % 2));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(10);
});

test('both replicas reject a revoked key within five seconds', async () => {
  const [first] = mesh.file().organizations;
  const issued = await operator(
    mesh,
    'key',
    'issue',
    '--org',
    first!.id,
    '--scopes',
    'orders:read',
  );
  const { key, id } = issued.json as { key: string; id: string };
  const { get } = partner(mesh, key);
  expect((await get('/ping', 0)).status).toBe(200);
  expect((await get('/ping', 1)).status).toBe(200);
  expect((await operator(mesh, 'key', 'revoke', id)).code).toBe(0);
  await until(
    async () =>
      (await get('/ping', 0)).body.error?.code === 'API_KEY_REVOKED' &&
      (await get('/ping', 1)).body.error?.code === 'API_KEY_REVOKED',
    { deadlineMs: revokedWithinMs, what: 'the key to be refused' },
  );
});
