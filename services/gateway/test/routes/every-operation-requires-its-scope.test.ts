import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newApiKey, type Scope, scopes } from '@pto/access';
import type { Backends } from '../../src/backends.ts';
import { routeTable } from '../../src/routes/table.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
/** The matrix's rows are the table's own, so that no route can be forgotten. */
const rows = routeTable({} as Backends, 'sandbox').map(
  ({ method, path, scope, linksOnly }): [string, string, Scope | null | 'a link'] => [
    method,
    path.replace(/:\w+/g, id),
    linksOnly ? 'a link' : scope,
  ],
);

let under: GatewayUnderTest;
let keys: Record<Scope | 'disabled' | 'revoked' | 'expired', string>;
beforeAll(async () => {
  under = await startGatewayService({
    environment: { GATEWAY_FAILED_AUTH_PER_MINUTE: '100007' },
  });
  const one = async (scope: Scope) => (await partnerOf(under, { scopes: [scope] })).key;
  const revoked = await partnerOf(under);
  await under.operator.revokeKey({ id: revoked.keyId });
  const expired = await partnerOf(under);
  await under.operator.rotateKey({ id: expired.keyId, overlapSeconds: 0 });
  keys = {
    'orders:read': await one('orders:read'),
    'orders:write': await one('orders:write'),
    'webhooks:manage': await one('webhooks:manage'),
    'keys:rotate': await one('keys:rotate'),
    disabled: (await partnerOf(under, { disabled: true })).key,
    revoked: revoked.key,
    expired: expired.key,
  };
});
afterAll(() => under.stop());

const ask = async (method: string, path: string, headers: Record<string, string>) => {
  const url = `${under.baseUrls[0]}${path}`;
  const answer = await call(method, url, { headers });
  return { ...answer, code: answer.body?.error?.code };
};
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test('the table says what contract 4 and 5 say, and what was added', () => {
  expect(
    rows.map(([method, path, scope]) => `${method} ${path.replaceAll(id, ':id')} ${scope}`).sort(),
  ).toEqual(
    [
      'GET /ping null',
      'POST /orders orders:write',
      'GET /orders orders:read',
      'GET /orders/:id orders:read',
      'POST /orders/:id/cancel orders:write',
      'POST /orders/:id/submit orders:write',
      'POST /orders/:id/conditions orders:write',
      'GET /orders/:id/artifacts/:id orders:read',
      'GET /orders/:id/events orders:read',
      'GET /orders/:id/custody orders:read',
      'GET /orders/:id/custody/proof orders:read',
      'GET /orders/:id/custody/certificate orders:read',
      'GET /orders/:id/custody/epcis orders:read',
      'GET /orders/:id/custody/fhir orders:read',
      'GET /events orders:read',
      'GET /requests orders:read',
      'POST /sandbox/orders/:id/advance orders:write',
      'GET /sandbox/orders/:id/steps orders:read',
      'PUT /sandbox/webhooks/:id/rehearsal webhooks:manage',
      'GET /sandbox/webhooks/:id/rehearsal webhooks:manage',
      'POST /orders/:id/links orders:read',
      'GET /orders/:id/links orders:read',
      'DELETE /orders/:id/links orders:read',
      'DELETE /orders/:id/links/:id orders:read',
      'POST /order-link/views a link',
      'GET /order-link a link',
      'GET /order-link/certificate a link',
      'GET /keys keys:rotate',
      'POST /keys/:id/rotate keys:rotate',
      'POST /portal-links null',
      'DELETE /portal-links null',
      'GET /locations orders:read',
      'POST /locations orders:write',
      'GET /webhooks webhooks:manage',
      'POST /webhooks webhooks:manage',
      'GET /webhooks/:id webhooks:manage',
      'PATCH /webhooks/:id webhooks:manage',
      'DELETE /webhooks/:id webhooks:manage',
      'POST /webhooks/:id/verify webhooks:manage',
      'POST /webhooks/:id/test webhooks:manage',
      'GET /webhooks/:id/metrics webhooks:manage',
      'POST /webhooks/:id/secret/rotate webhooks:manage',
      'POST /webhooks/:id/recover webhooks:manage',
      'GET /webhooks/:id/deliveries webhooks:manage',
      'GET /orders/:id/deliveries webhooks:manage',
      'GET /webhooks/:id/deliveries/:id webhooks:manage',
      'POST /webhooks/:id/deliveries/:id/replay webhooks:manage',
    ].sort(),
  );
});

describe.each(rows)('%s %s', (method, path, scope) => {
  test('lets nobody in without a good key, and says why', async () => {
    const refused: [Record<string, string>, string][] = [
      [{}, 'MISSING_API_KEY'],
      [{ authorization: 'Bearer' }, 'INVALID_API_KEY'],
      [{ authorization: `Basic ${keys['orders:read']}` }, 'INVALID_API_KEY'],
      [bearer('svc_test_no'), 'INVALID_API_KEY'],
      [bearer(newApiKey('sandbox')), 'INVALID_API_KEY'],
      [bearer(newApiKey('production')), 'API_KEY_WRONG_ENVIRONMENT'],
      [bearer(keys.revoked), 'API_KEY_REVOKED'],
      [bearer(keys.expired), 'API_KEY_EXPIRED'],
    ];
    for (const [headers, code] of refused) {
      const answer = await ask(method, path, headers);
      expect([answer.status, answer.code]).toEqual([401, code]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    }
  });

  test('is closed to a disabled organization', async () => {
    const answer = await ask(method, path, bearer(keys.disabled));
    expect([answer.status, answer.code]).toEqual([403, 'ORGANIZATION_NOT_ENABLED']);
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
  });

  test.each(scopes)('with %s', async (given) => {
    const answer = await ask(method, path, bearer(keys[given]));
    if (scope !== null && scope !== given) {
      expect([answer.status, answer.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
      const needed = scope === 'a link' ? null : scope;
      expect(answer.body.error.details).toEqual({ required_scope: needed });
    } else expect([401, 403]).not.toContain(answer.status);
  });
});
