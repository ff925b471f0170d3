import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newApiKey, newCheckedSecret } from '@pto/access';
import { PortalSessionService } from '@pto/proto/access/v1/portal';
import { until } from '@pto/testing';
import { excessPerMinute } from '../../src/request-log/excess-requests.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { rowsOf } from './rows.ts';

const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const rejectedPerMinute = 10;

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayService({
    environment: { GATEWAY_REJECTED_PER_MINUTE: `${rejectedPerMinute}` },
    behind: {
      custody: {
        waitForOrganizationEvents: async () => ({ found: false }),
      },
    },
  });
});
afterAll(() => under.stop());

const logged = async (organizationId: string, count: number) => {
  await until(async () => (await rowsOf(under, organizationId)).length >= count, {
    what: `${count} rows`,
  });
  return rowsOf(under, organizationId);
};
const of = async (more: Parameters<typeof partnerOf>[1] = {}) => {
  const partner = await partnerOf(under, more);
  return {
    ...partner,
    send: (method: string, path: string, headers: Record<string, string> = {}) =>
      call(method, `${under.baseUrls[0]}${path}`, { key: partner.key, headers }),
  };
};

test('a row has what the response had, and the id of the key', async () => {
  const { organizationId, keyId, send } = await of();
  const before = Date.now();
  const response = await send('GET', `/orders/not-a-uuid?note=Ada%20Lovelace`, {
    'X-Request-Id': 'support-4711',
  });
  expect(response.status).toBe(422);
  const rejected = await send('GET', '/nowhere');
  const [row, other, ...more] = await logged(organizationId, 2);
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    key_id: keyId,
    method: 'GET',
    path: '/orders/not-a-uuid',
    operation: 'getOrder',
    status: 422,
    code: null,
    request_id: 'support-4711',
    left_out: null,
  });
  const at = Number.parseInt(row!.id.replaceAll('-', '').slice(0, 12), 16);
  expect(at).toBeGreaterThanOrEqual(before - 1);
  expect(at).toBeLessThanOrEqual(Date.now());
  expect(other).toMatchObject({
    path: '/nowhere',
    operation: null,
    status: 404,
    code: 'NOT_FOUND',
    request_id: rejected.headers.get('x-request-id'),
  });
});

test('no key, secret, query, address or free text reaches a row', async () => {
  const { organizationId, send, key } = await of();
  await send('GET', `/orders/${key}?cursor=${key}`);
  const live = newApiKey('production');
  await send('GET', `/orders/${live}`, { 'X-Request-Id': `id:${key}` });
  const code = newCheckedSecret('ptl_');
  await send('GET', `/orders/${code}`, { 'X-Request-Id': code });
  await send('GET', `/webhooks/whsec_abc?note=secret-text`);
  await send('GET', `/orders/Ada%20Lovelace%20+4930123`);
  await send('GET', `/${'x/'.repeat(400)}y`);
  const rows = await logged(organizationId, 6);
  expect(rows.map(({ path }) => path)).toEqual([
    '/orders/*',
    '/orders/*',
    '/orders/*',
    '/webhooks/*',
    '/orders/*',
    expect.stringMatching(/^[x/]{1,255}$/),
  ]);
  const all = JSON.stringify(rows);
  for (const text of [key, live, code, 'whsec', 'secret-text', 'Ada', '127.0.0.1'])
    expect(all).not.toContain(text);
});

test('a key that somebody changed is masked, and references of a partner stay', async () => {
  const { organizationId, send, key } = await of();
  const random = key.slice('svc_test_'.length);
  const changed = [
    ...[key.toUpperCase(), key.replaceAll('_', '-'), random, random.toUpperCase()],
    ...[`svc_test_${random.slice(0, 9)}-${random.slice(9)}`, `SVC-LIVE-${random}`],
    ...[`opt-${random}`, `WHSEC_${random}`],
  ];
  for (const one of changed) await send('GET', `/orders/${one}`, { 'X-Request-Id': one });
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const references = [id, 'CLINIC-NORTH-2026-11-29-WARD-7', 'order_17', sha256];
  for (const one of references) await send('GET', `/orders/${one}`, { 'X-Request-Id': one });
  const rows = await logged(organizationId, changed.length + references.length);
  const [masked, shown] = [rows.slice(0, changed.length), rows.slice(changed.length)];
  expect(masked.map(({ path }) => path)).toEqual(changed.map(() => '/orders/*'));
  const all = JSON.stringify(rows).toLowerCase();
  expect(all).not.toContain(random.slice(9).toLowerCase());
  expect(shown.map(({ path, request_id }) => [path, request_id])).toEqual(
    references.map((one) => [`/orders/${one}`, one]),
  );
});

test('every request of a partner at the edge of the budgets of a key has a row', async () => {
  const reads = 2 * excessPerMinute;
  const writes = 5;
  const { organizationId, send } = await of({ reads, writes });
  const paths = [
    ...Array.from({ length: reads + 2 }, () => ['GET', `/orders/${id}`]),
    ...Array.from({ length: writes + 2 }, () => ['POST', `/orders/${id}/submit`]),
    ...Array.from({ length: rejectedPerMinute + 2 }, () => ['GET', '/nowhere']),
  ];
  const responses: Awaited<ReturnType<typeof send>>[] = [];
  const lanes = Array.from({ length: 6 }, async () => {
    for (let next = paths.pop(); next; next = paths.pop())
      responses.push(await send(next[0]!, next[1]!));
  });
  await Promise.all(lanes);
  const rows = await logged(organizationId, responses.length);
  expect(rows.map(({ request_id }) => request_id).sort()).toEqual(
    responses.map(({ headers }) => headers.get('x-request-id')).sort(),
  );
  expect(rows.filter(({ status }) => status === 429)).toHaveLength(6);
});

test('a request without a valid key has no row, and one from a wrong address has', async () => {
  const { organizationId, keyId, send } = await of();
  await under.operator.setKeyAllowedCidrs({ id: keyId, allowedCidrs: ['192.0.2.0/24'] });
  await until(async () => (await send('GET', '/ping')).status === 403, { what: 'a 403' });
  await call('GET', `${under.baseUrls[0]}/ping`, { key: newApiKey('sandbox') });
  const [row] = await logged(organizationId, 1);
  expect(row).toMatchObject({ status: 403, code: 'CLIENT_ADDRESS_NOT_ALLOWED', key_id: keyId });
});

test('the pages of the portal fill no list: of a session only commands and rejections have rows', async () => {
  const { organizationId } = await of();
  const { url } = await under.operator.createPortalLink({
    organizationId,
    rights: { lastsSeconds: 3600, readOnly: true },
  });
  const { secret } = await under.operators
    .client(PortalSessionService, 'access')
    .openSession({ code: url.split('#')[1]! });
  const send = async (method: string, path: string) =>
    (await call(method, `${under.baseUrls[0]}${path}`, { key: secret })).status;
  expect(await send('GET', '/ping')).toBe(200);
  expect(await send('GET', '/nowhere')).toBe(404);
  expect(await send('DELETE', '/portal-links')).toBe(403);
  const rows = await logged(organizationId, 2);
  expect(rows.map(({ status }) => status)).toEqual([404, 403]);
});

test('a wait for events has a row, and so has a client that disconnects', async () => {
  const { organizationId, key, send } = await of();
  await send('GET', '/events?wait=1');
  const [row] = await logged(organizationId, 1);
  expect(row).toMatchObject({ operation: 'listEvents', path: '/events', status: 200 });
  const socket = connect(under.port, '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST /api/partner/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n`;
  socket.write(head);
  await once(socket, 'data'); // 100: the request has its slot
  socket.destroy();
  const [, left] = await logged(organizationId, 2);
  expect(left).toMatchObject({ operation: 'createOrder', method: 'POST', status: 499, code: null });
});
