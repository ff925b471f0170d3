import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { operator } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { sharedStack } from './test-stack.ts';

const stack = sharedStack();

test('an operator finds the request that a partner quotes, with its error', async () => {
  const org = stack.file().organizations[0]!.id;
  const headers = { 'X-Request-Id': `quoted-${crypto.randomUUID()}` };
  const order = crypto.randomUUID();
  expect((await partner(stack).call('GET', `/orders/${order}`, undefined, headers)).status).toBe(
    404,
  );
  const find = async (...filter: string[]) =>
    (await operator(stack, 'request', 'list', org, ...filter)).json as Record<string, unknown>[];
  const quoted = () => find('--request-id', headers['X-Request-Id']);
  await until(async () => (await quoted()).length === 1, { what: 'the request in the log' });
  expect((await quoted())[0]).toMatchObject({
    method: 'GET',
    path: `/orders/${order}`,
    operation: 'getOrder',
    status: 404,
    code: 'NOT_FOUND',
    request_id: headers['X-Request-Id'],
    left_out: null,
  });
  expect(await find('--request-id', headers['X-Request-Id'], '--status', '5xx')).toEqual([]);
  expect(await find('--status', '4xx', '--method', 'GET', '--limit', '1')).toHaveLength(1);
}, 60_000);

test('an operator sees why an order was rejected: the fields, or the missing scope', async () => {
  const { id: org, keys } = stack.file().organizations[0]!;
  const rejected = async (body: object, key?: string) => {
    const headers = { 'X-Request-Id': `rejected-${crypto.randomUUID()}` };
    await partner(stack, key).post('/orders', orderBody(body), headers);
    const find = async () =>
      (await operator(stack, 'request', 'list', org, '--request-id', headers['X-Request-Id']))
        .json as object[];
    await until(async () => (await find()).length === 1, { what: 'the request in the log' });
    return (await find())[0];
  };
  const invalid = { pickup: { address: { street: 'Ada', city: 'Berlin' } }, sla: 'FAST' };
  expect(await rejected(invalid)).toMatchObject({
    status: 422,
    errors: ['body.pickup.address.zip: missing', 'body.sla: enum'],
    required_scope: null,
  });
  expect(await rejected({}, keys.read)).toMatchObject({
    ...{ status: 403, code: 'INSUFFICIENT_SCOPE' },
    ...{ errors: [], required_scope: 'orders:write' },
  });
}, 60_000);
