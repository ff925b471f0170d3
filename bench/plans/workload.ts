/** Every operation of partners, the life of an order, and what operators look up. */
import { createHash, randomUUID } from 'node:crypto';
import { until } from '@pto/testing';
import { eventsOfALife } from '../../e2e/deliveries.ts';
import { walkOrder } from '../../e2e/load.ts';
import type { LocalStack } from '../../e2e/local-stack.ts';
import { operator, operatorClients } from '../../e2e/operator.ts';
import { partner } from '../../e2e/partner.ts';
import { startReceiver } from '../../e2e/receiver.ts';
import { createOrganization } from '../../local/src/operators/organizations.ts';
import { create, orderWith } from '../http/calls.ts';

interface Organization {
  readonly id: string;
  readonly key: string;
  /** With the scope to rotate keys. */
  readonly rotating: string;
}

/** Creates organizations, each with an endpoint and so many orders at the end of their life. */
export const fill = async (
  stack: LocalStack,
  organizations: number,
  ordersOfEach: number,
): Promise<{ organizations: Organization[]; receiverUrl: string; stop: () => Promise<void> }> => {
  const { baseUrl } = stack.file();
  const receiver = await startReceiver(stack);
  const created: Organization[] = [];
  for (let n = 0; n < organizations; n++) {
    const { id, keys } = await createOrganization(operatorClients(stack).access, `Planned ${n}`);
    await create(baseUrl, '/webhooks', keys.all, { url: receiver.url });
    created.push({ id, key: keys.all, rotating: keys.rotate });
  }
  const lives = async ({ key }: Organization): Promise<void> => {
    for (let n = 0; n < ordersOfEach; n++)
      await walkOrder(
        stack,
        await create(baseUrl, '/orders', key, { ...orderWith(2), external_id: `E-${n}` }),
      );
  };
  await Promise.all(created.map(lives));
  const expected = organizations * ordersOfEach * eventsOfALife;
  await until(() => new Set(receiver.received.map(({ delivery }) => delivery)).size >= expected, {
    what: 'the webhooks of all orders',
    deadlineMs: 180_000,
  });
  return { organizations: created, receiverUrl: receiver.url, stop: receiver.stop };
};

/**
 * Sends every operation of the API, with each of its filters, and what operators look up.
 * @throws an error if a request or a command fails, or an operation of the document was not sent.
 */
export const everyOperation = async (
  stack: LocalStack,
  { id: organizationId, key, rotating }: Organization,
  receiverUrl: string,
): Promise<void> => {
  const { call } = partner(stack, key);
  const sent: string[] = [];
  const send = async (method: string, path: string, body?: unknown, headers = {}) => {
    const { call } = partner(stack, path.startsWith('/keys') ? rotating : key);
    const answer = await call(method, path, body, headers);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    sent.push(`${method} ${path.split('?')[0]}`);
    return answer.body;
  };
  const get = (path: string) => send('GET', path);
  const post = (path: string, body: unknown = {}) =>
    send('POST', path, body, { 'idempotency-key': randomUUID() });
  const before = new Date(Date.now() - 60_000).toISOString();

  await get('/ping');
  const listed = await get('/orders?limit=3');
  for (const query of [
    `cursor=${encodeURIComponent(listed.next_cursor)}`,
    'status=CLOSED',
    'external_id=E-1',
    `updated_since=${before}`,
    `updated_since=${before}&status=CLOSED`,
    ...['search=E-1', 'search=E-1&status=CLOSED', `search=E-1&updated_since=${before}`],
  ])
    await get(`/orders?limit=3&${query}`);
  const order = await post('/orders', orderWith(2));
  // readings end after the creation of their order
  const readings = `time,value\n${new Date(Date.now() + 1000).toISOString()},4\n`;
  await post(`/orders/${order.id}/conditions`, {
    ...{ device_id: 'LOG-7', unit: 'celsius', media_type: 'text/csv', readings },
  });
  const sha256 = createHash('sha256').update(readings).digest('hex');
  await get(`/orders/${order.id}/artifacts/${sha256}`);
  await get(`/sandbox/orders/${order.id}/steps`);
  await post(`/sandbox/orders/${order.id}/advance`);
  await walkOrder(stack, order.id);
  const draft = await post('/orders', { ...orderWith(2), auto_dispatch: false });
  await post(`/orders/${draft.id}/submit`);
  await post(`/orders/${draft.id}/cancel`, { reason: 'planned' });
  for (const path of [
    '',
    '/deliveries',
    '/events',
    '/custody',
    ...exports.map((name) => `/custody/${name}`),
  ])
    await get(`/orders/${order.id}${path}`);
  const proof = `/orders/${order.id}/custody/proof`;
  await until(async () => (await call('GET', proof)).status === 200, {
    what: 'a checkpoint that covers the order',
    deadlineMs: 30_000,
  });
  await get(proof);
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
  const links = `/orders/${order.id}/links`;
  const { id: link } = await post(links, { side: 'pickup' });
  await get(links);
  for (const path of [`${links}/${link}`, links]) await send('DELETE', path);
  const [{ id: own }] = await get('/keys');
  await post(`/keys/${own}/rotate`);
  await post('/portal-links', { expires_in: 600 });
  await send('DELETE', '/portal-links');
  const [{ id: endpoint }] = await get('/webhooks');
  await everyOperationOn(`/webhooks/${endpoint}`, order.id, { get, post });
  const { id: other } = await post('/webhooks', { url: receiverUrl });
  await get(`/webhooks/${other}`);
  await send('PATCH', `/webhooks/${other}`, { event_filter: ['order.sealed'] });
  for (const path of ['verify', 'test', 'secret/rotate']) await post(`/webhooks/${other}/${path}`);
  await send('PUT', `/sandbox/webhooks/${other}/rehearsal`, { speed: 2 });
  await get(`/sandbox/webhooks/${other}/rehearsal`);
  await send('DELETE', `/webhooks/${other}`);
  const requests = await get('/requests?limit=2');
  for (const query of [`cursor=${requests.next_cursor}`, 'status=2xx', 'method=POST'])
    await get(`/requests?limit=2&${query}`);
  await requireEverySent(stack, sent);
  for (const words of [
    ['order', 'find', 'E-1'],
    ['order', 'timeline', order.id],
    ['order', 'list', '--org', organizationId],
    ['delivery', 'list', '--endpoint', endpoint],
    ['request', 'list', organizationId],
    ['audit', 'list'],
  ]) {
    const { code, stderr } = await operator(stack, ...words);
    if (code !== 0) throw new Error(`operator ${words.join(' ')}: ${stderr}`);
  }
  const { code, stderr } = await operator(stack, 'status');
  // 1: something needs attention
  if (code > 1 || stderr !== '') throw new Error(`operator status: ${stderr}`);
};

const exports = ['certificate', 'epcis', 'fhir'];

/** Sends the operations on the deliveries of an endpoint that has some. */
const everyOperationOn = async (
  path: string,
  orderId: string,
  // biome-ignore lint/suspicious/noExplicitAny: a response of any operation
  { get, post }: Record<'get' | 'post', (path: string, body?: unknown) => Promise<any>>,
): Promise<void> => {
  const page = await get(`${path}/deliveries?limit=2`);
  for (const query of [
    ...[`cursor=${page.next_cursor}`, 'state=DELIVERED', 'state=PENDING', 'state=EXHAUSTED'],
    ...['event=order.sealed', 'state=EXHAUSTED&event=order.sealed', `order_id=${orderId}`],
  ])
    await get(`${path}/deliveries?limit=2&${query}`);
  const delivery = `${path}/deliveries/${page.data[0].id}`;
  await get(delivery);
  await post(`${delivery}/replay`);
  await post(`${path}/recover`, { since: new Date(Date.now() - 60_000).toISOString() });
};

/** @throws Error that names the operations of the OpenAPI document that were not sent */
const requireEverySent = async (stack: LocalStack, sent: readonly string[]): Promise<void> => {
  const response = await fetch(`${stack.file().gateways[0]}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  const missing = Object.entries(paths).flatMap(([path, methods]) => {
    const form = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return Object.keys(methods).flatMap((method) => {
      const operation = method.toUpperCase();
      const isSent = (one: string) =>
        one.startsWith(`${operation} `) && form.test(one.slice(operation.length + 1));
      return sent.some(isSent) ? [] : [`${operation} ${path}`];
    });
  });
  if (missing.length > 0) throw new Error(`not sent: ${missing.join(', ')}`);
};
