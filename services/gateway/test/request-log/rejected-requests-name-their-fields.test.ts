import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loggedErrors } from '@pto/access';
import { Failure, invalid } from '@pto/errors';
import { until } from '@pto/testing';
import { shownErrors } from '../../src/request-log/request-log.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { rowsOf } from './rows.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayService({
    behind: {
      orders: {
        createOrder: async () => {
          throw new Failure('ADDRESS_NOT_RESOLVED', 'The address could not be resolved.', {
            details: { field: 'pickup.address_text' },
          });
        },
      },
    },
  });
});
afterAll(() => under.stop());

const of = async (more: Parameters<typeof partnerOf>[1] = {}) => {
  const { key, organizationId } = await partnerOf(under, more);
  const send = (method: string, path: string, body?: unknown) =>
    call(method, `${under.baseUrls[0]}${path}`, { key, body });
  /** The only row of the organization, and what a partner reads of it. */
  const logged = async () => {
    await until(async () => (await rowsOf(under, organizationId)).length > 0, { what: 'a row' });
    return (await rowsOf(under, organizationId))[0]!;
  };
  return { send, logged };
};
const order = {
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
};

test('a validation error has the fields and types of the response, and its partner reads them', async () => {
  const { send, logged } = await of();
  const { status, body } = await send('POST', '/orders', {
    ...order,
    pickup: { address: { street: 'Ada Lovelace', zip: 10117, city: 'x' } },
    items: [{ goods_type: 'blood' }, { goods_type: '' }],
    pickup_window_start: undefined,
  });
  expect(status).toBe(422);
  const detail = body.detail as { loc: (string | number)[]; type: string }[];
  expect(detail).toHaveLength(3);
  expect((await logged()).errors).toBe(
    [
      'string_type body.pickup.address.zip',
      'missing body.pickup_window_start',
      'string_too_short body.items.1.goods_type',
    ].join('\n'),
  );
  const [row] = (await send('GET', '/requests?status=422')).body.data;
  expect(row).toMatchObject({
    code: null,
    errors: detail.map(({ loc, type }) => ({ field: loc.join('.'), type })),
    required_scope: null,
  });
});

test('a missing scope is named, and a field outside of the validation with its code', async () => {
  const reader = await of({ scopes: ['orders:read'] });
  expect((await reader.send('POST', '/orders', order)).status).toBe(403);
  expect(await reader.logged()).toMatchObject({
    ...{ code: 'INSUFFICIENT_SCOPE', required_scope: 'orders:write', errors: null },
  });
  const writer = await of();
  expect((await writer.send('POST', '/orders', order)).status).toBe(422);
  expect(await writer.logged()).toMatchObject({
    ...{ code: 'ADDRESS_NOT_RESOLVED', errors: 'ADDRESS_NOT_RESOLVED pickup.address_text' },
  });
});

test('a success and an error without a field have none', async () => {
  for (const path of ['/ping', '/nowhere']) {
    const { send, logged } = await of();
    await send('GET', path);
    expect(await logged()).toMatchObject({ errors: null, required_scope: null });
  }
});

test('a body with thousands of errors has a few short lines, without values and invented names', async () => {
  const { send, logged } = await of();
  const canary = 'Ada_Lovelace_4930123';
  const { status } = await send('POST', `/orders?${canary}=1`, {
    [canary]: canary,
    external_id: canary.repeat(20),
    pickup: { [canary]: canary },
    dropoff: { address_text: 1, address: { [canary]: canary } },
    sla: canary,
    pickup_window_start: canary,
    required_evidence: { [canary]: [canary], pickup: [canary] },
    items: Array.from({ length: 3000 }, () => ({ goods_type: [canary], [canary]: 1 })),
  });
  expect(status).toBe(422);
  const { errors } = await logged();
  expect(errors!.split('\n')).toHaveLength(loggedErrors);
  expect(Buffer.byteLength(errors!)).toBeLessThan(2048);
  expect(errors).not.toMatch(/ada|4930/i);
  expect(errors).toContain('string_too_long body.external_id');
});

test('a place that a service reports shows known names and positions alone', () => {
  const names = new Set(['body', 'items', 'field']);
  const errors = (failure: Failure) => shownErrors(failure, names);
  expect(errors(invalid(['body', 'items', 3, 'Ada Lovelace'], 'is wrong', 'Ada'))).toEqual([
    { field: 'body.items.3.*', type: 'value_error' },
  ]);
  expect(errors(invalid(Array(500).fill('items'), 'is deep'))[0]!.field).toHaveLength(150);
  const odd = { details: { detail: [{ loc: [], type: 'Ada Lovelace' }] } };
  expect(errors(new Failure('VALIDATION', '', odd))).toEqual([{ field: '', type: '*' }]);
  const external = { details: { field: 'field.Ada' } };
  expect(errors(new Failure('DUPLICATE_EXTERNAL_ID', '', external))).toEqual([
    { field: 'field.*', type: 'DUPLICATE_EXTERNAL_ID' },
  ]);
});
