import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { type Mesh, startMesh } from '../../mesh.ts';
import { orderBody, partner } from '../../partner.ts';

let mesh: Mesh;
beforeAll(async () => {
  mesh = await startMesh({
    env: { GATEWAY_READS_PER_MINUTE: '50', GATEWAY_REJECTION_HOLD: '1ms' },
  });
});
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

const kill = (name: 'postgres' | 'redis' | 'kafka'): void => {
  process.kill(mesh.file().stores.pids[name]!, 'SIGKILL');
};

const withRedis = stores().redis ? test : test.skip;
const withKafka = stores().kafka ? test : test.skip;

withRedis('without Redis a limit is still a limit, and nobody waits for it', async () => {
  kill('redis');
  await until(() => mesh.output().includes('redis died'), { what: 'word of the death' });
  const { get } = partner(mesh, mesh.file().organizations[1]!.keys.read);
  const statuses: number[] = [];
  const begun = Date.now();
  for (let n = 0; n < 60; n++) statuses.push((await get('/ping')).status);
  expect(Date.now() - begun).toBeLessThan(10_000);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

withKafka('without Kafka orders are taken, and their events wait in the outbox', async () => {
  kill('kafka');
  await until(() => mesh.output().includes('kafka died'), { what: 'word of the death' });
  const created = await partner(mesh).post('/orders', orderBody());
  expect(created.status).toBe(201);
  const { metricsUrl } = mesh.file().services.find(({ name }) => name === 'orders')!;
  await until(
    async () => /^outbox_unsent\{[^}]*\} 1$/m.test(await (await fetch(metricsUrl)).text()),
    { what: 'the event in the outbox' },
  );
});

withKafka('without Kafka every process stays, stays ready, and answers', async () => {
  const { services } = mesh.file();
  const falls = (name: string) => mesh.output().split(`${name}-0: warn Crash`).length - 1;
  // a consumer that was started again and found no broker: from here on it is only more of this
  await until(() => ['orders', 'custody', 'webhooks'].every((name) => falls(name) >= 2), {
    deadlineMs: 45_000,
    what: 'each consumer to have fallen twice',
  });
  for (const { name, healthUrl, metricsUrl } of services) {
    expect([name, (await fetch(healthUrl)).status]).toEqual([name, 200]);
    // what tells of the bus instead, as the runbooks say
    expect(await (await fetch(metricsUrl)).text()).not.toMatch(/^bus_consumer_lag\{/m);
  }
  expect(mesh.file().services).toEqual(services);
  const { get } = partner(mesh);
  const { body: page } = await get('/orders');
  const answers = [`/orders/${page.data[0].id}/events`, '/webhooks'].map((path) => get(path));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
});

test('without Postgres the answer is 503 with Retry-After, and liveness stays', async () => {
  kill('postgres');
  await until(() => mesh.output().includes('postgres died'), { what: 'word of the death' });
  const { get, post } = partner(mesh);
  const answers = [await get('/orders'), await post('/orders', orderBody())];
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(answer.body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  const healthOf = (name: string) => mesh.file().services.find((s) => s.name === name)!.healthUrl;
  const healthUrl = healthOf('orders');
  expect((await fetch(healthUrl)).status).toBe(503);
  // or nobody would be left to tell partners
  expect((await fetch(healthOf('gateway'))).status).toBe(200);
  expect((await fetch(healthUrl.replace('readyz', 'livez'))).status).toBe(200);
}, 60_000);
