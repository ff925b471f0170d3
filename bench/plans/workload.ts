/** Every operation of partners, the life of an order, and what operators look up. */
import { randomUUID } from 'node:crypto';
import { until } from '@pto/testing';
import { walkOrder } from '../../e2e/load.ts';
import type { LocalStack } from '../../e2e/local-stack.ts';
import { operator, operatorClients } from '../../e2e/operator.ts';
import { partner } from '../../e2e/partner.ts';
import { startReceiver } from '../../e2e/receiver.ts';
import { createOrganization } from '../../local/src/operators/organizations.ts';
import { create, orderWith } from '../fairness/calls.ts';

interface Organization {
  readonly id: string;
  readonly key: string;
}

/** Creates organizations, each with an endpoint and so many orders at the end of their life. */
export const fill = async (
  stack: LocalStack,
  organizations: number,
  ordersOfEach: number,
): Promise<{ organizations: Organization[]; stop: () => Promise<void> }> => {
  const { baseUrl } = stack.file();
  const receiver = await startReceiver(stack);
  const created: Organization[] = [];
  for (let n = 0; n < organizations; n++) {
    const { id, keys } = await createOrganization(operatorClients(stack).access, `Planned ${n}`);
    await create(baseUrl, '/webhooks', keys.all, { url: receiver.url });
    created.push({ id, key: keys.all });
  }
  const lives = async ({ key }: Organization): Promise<void> => {
    for (let n = 0; n < ordersOfEach; n++)
      await walkOrder(
        stack,
        await create(baseUrl, '/orders', key, { ...orderWith(2), external_id: `E-${n}` }),
      );
  };
  await Promise.all(created.map(lives));
  const expected = organizations * ordersOfEach * eventsOfLife;
  await until(() => new Set(receiver.received.map(({ delivery }) => delivery)).size >= expected, {
    what: 'the webhooks of all orders',
    deadlineMs: 180_000,
  });
  return { organizations: created, stop: receiver.stop };
};

const eventsOfLife = 9;

/** @throws an error if a request has another outcome than the expected one. */
export const everyOperation = async (
  stack: LocalStack,
  { id: organizationId, key }: Organization,
): Promise<void> => {
  const { call } = partner(stack, key);
  const expecting = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await call(method, path, body, headers);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const get = (path: string) => expecting('GET', path);
  const post = (path: string, body: unknown = {}) =>
    expecting('POST', path, body, { 'idempotency-key': randomUUID() });
  const before = new Date(Date.now() - 60_000).toISOString();

  const listed = await get('/orders?limit=3');
  for (const query of [
    `cursor=${encodeURIComponent(listed.next_cursor)}`,
    'status=CLOSED',
    'external_id=E-1',
    `updated_since=${before}`,
    `updated_since=${before}&status=CLOSED`,
  ])
    await get(`/orders?limit=3&${query}`);
  const order = await post('/orders', orderWith(2));
  await walkOrder(stack, order.id);
  const other = await post('/orders', { ...orderWith(2), submit: false });
  await post(`/orders/${other.id}/cancel`, { reason: 'planned' });
  for (const path of ['', '/events', '/custody', '/custody/certificate', '/custody/epcis'])
    await get(`/orders/${order.id}${path}`);
  await until(async () => (await call('GET', `/orders/${order.id}/custody/proof`)).status === 200, {
    what: 'a checkpoint that covers the order',
    deadlineMs: 30_000,
  });
  const { next_after: next } = await get('/events?limit=2');
  await get(`/events?limit=2&after=${next}`);
  await get('/locations');
  await post('/locations', {
    label: 'L',
    street: 'S 1',
    zip: '10117',
    city: 'Berlin',
    country: 'DE',
  });
  const [{ id: endpoint }] = await get('/webhooks');
  const deliveries = (await get(`/webhooks/${endpoint}/deliveries?limit=2`)).data;
  await get(`/webhooks/${endpoint}/deliveries/${deliveries[0].id}`);
  await post(`/webhooks/${endpoint}/deliveries/${deliveries[0].id}/replay`);
  await post(`/webhooks/${endpoint}/recover`, { since: before });
  await get('/requests?limit=5');
  for (const words of [
    ['order', 'find', 'E-1'],
    ['order', 'timeline', order.id],
    ['order', 'list', '--org', organizationId],
    ['delivery', 'list', '--endpoint', endpoint],
    ['status'],
    ['request', 'list', organizationId],
    ['audit', 'list'],
  ]) {
    const { code, stderr } = await operator(stack, ...words);
    if (code !== 0) process.stderr.write(`operator ${words.join(' ')}: ${stderr}\n`);
  }
};
