import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { type PortalRights, PortalSessionService } from '@pto/proto/access/v1/portal';
import { until } from '@pto/testing';
import { query } from '../../../operators/test/operators-service.ts';
import type { Backends } from '../../src/backends.ts';
import { routeTable } from '../../src/routes/table.ts';
import {
  allScopes,
  call,
  type GatewayUnderTest,
  orderLinkOf,
  partnerOf,
  startGatewayService,
} from '../gateway-service.ts';

/** Decision 20. */
const endsWithinMs = 5000;
const endpoint = '0192b5f0-0000-7000-8000-000000000001';
/** An endpoint that the organization does not have. */
const unknown = '0192b5f0-0000-7000-8000-000000000003';
const other = '0192b5f0-0000-7000-8000-000000000002';

let under: GatewayUnderTest;
let base: string;
beforeAll(async () => {
  under = await startGatewayService({
    replicas: 2,
    redisUrl: '', // nothing tells the gateways of a change
    environment: {
      GATEWAY_FAILED_AUTH_PER_MINUTE: '100000',
      GATEWAY_REJECTED_PER_MINUTE: '100000',
    },
    behind: {
      webhooks: {
        getEndpoint: async ({ organizationId, id }) => {
          if (id === unknown) throw new Failure('NOT_FOUND', 'There is no such endpoint.');
          return {
            id,
            organizationId,
            createdAt: '2026-01-01T00:00:00.000Z',
            health: {},
          } as object;
        },
      },
    },
  });
  base = under.baseUrls[0]!;
});
afterAll(() => under.stop());

const sessions = () => under.operators.client(PortalSessionService, 'access');
const codeOf = (url: string) => url.split('#')[1]!;
const link = async (key: string, body: object = {}) =>
  call('POST', `${base}/portal-links`, { key, body });
/** Opens the link of a key. @returns the session's secret. */
const open = async (key: string, body: object = {}) => {
  const created = await link(key, body);
  expect(created.status).toBe(201);
  return (await sessions().openSession({ code: codeOf(created.body.url) })).secret;
};
const codeFrom = async (key: string, method: string, path: string, at = base) => {
  const { status, body } = await call(method, `${at}${path}`, { key });
  return body?.error?.code ?? status;
};
const ofOrganization = async (rights: Partial<PortalRights> = {}) => {
  const partner = await partnerOf(under);
  const { organizationId } = partner;
  const { url } = await under.operator.createPortalLink({
    organizationId,
    rights: { lastsSeconds: 3600, ...(rights as object) },
  });
  const { secret } = await sessions().openSession({ code: codeOf(url) });
  return { ...partner, secret };
};

/** What a call of each operation gets through which link; a new operation is a row that is missing. */
test('each operation, through each kind of link', async () => {
  const { key, organizationId } = await partnerOf(under, { reads: 100_000, writes: 100_000 });
  const links = {
    whole: await open(key),
    reading: await open(key, { read_only: true }),
    orders: await open(key, { scopes: ['orders:read'] }),
    endpoint: await open(key, { endpoint_id: endpoint }),
    'its reading': await open(key, { endpoint_id: endpoint, read_only: true }),
    'another one': await open(key, { endpoint_id: other }),
    'one order': await orderLinkOf(under, organizationId, endpoint),
    rotating: await open(key, { scopes: allScopes }),
  };
  const table = routeTable({} as Backends, 'sandbox');
  const rows = await Promise.all(
    table.map(async ({ method, path }) => {
      const at = path.replace(/:\w+/g, endpoint);
      const cells = await Promise.all(
        Object.values(links).map(async (secret) => {
          const code = await codeFrom(secret, method, at);
          return (code === 'INSUFFICIENT_SCOPE' ? '-' : 'allowed').padEnd(13);
        }),
      );
      return `${`${method} ${path}`.padEnd(62)}${cells.join('')}`.trim();
    }),
  );
  const head = `${'Operation'.padEnd(62)}${Object.keys(links)
    .map((name) => name.padEnd(13))
    .join('')}`.trim();
  const expected = readFileSync(new URL('./portal-links.txt', import.meta.url), 'utf8');
  expect([head, ...rows, ''].join('\n')).toBe(expected);
});

test('a link has at most the rights of its key', async () => {
  const { key } = await partnerOf(under, { scopes: ['orders:read'] });
  const beyond = await link(key, { scopes: ['orders:write'] });
  expect([beyond.status, beyond.body.detail[0].loc]).toEqual([422, ['body', 'scopes']]);
  const endpointOnly = await link(key, { endpoint_id: endpoint });
  expect([endpointOnly.status, endpointOnly.body.detail[0].loc]).toEqual([422, ['body', 'scopes']]);
  for (const expires_in of [299, 43_201])
    expect((await link(key, { expires_in })).body.detail[0].loc).toEqual(['body', 'expires_in']);
  const longest = await link(key, { expires_in: 43_200 });
  expect(longest.body.scopes).toEqual(['orders:read']);
  for (const time of [longest.body.opens_until, longest.body.expires_at])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const secret = await open(key);
  expect(await codeFrom(secret, 'GET', '/orders')).not.toBe('INSUFFICIENT_SCOPE');
  expect(await codeFrom(secret, 'POST', '/orders')).toBe('INSUFFICIENT_SCOPE');
});

test('a session creates and ends no links', async () => {
  const { key } = await partnerOf(under);
  const secret = await open(key);
  expect(await codeFrom(secret, 'DELETE', '/portal-links')).toBe('INSUFFICIENT_SCOPE');
  expect((await link(secret)).body.error.code).toBe('INSUFFICIENT_SCOPE');
  expect(await codeFrom(secret, 'GET', '/ping')).toBe(200);
});

test('of many browsers with one link, one gets a session', async () => {
  const { key } = await partnerOf(under);
  const code = codeOf((await link(key)).body.url);
  const opened = await Promise.allSettled(
    Array.from({ length: 20 }, () => sessions().openSession({ code })),
  );
  const reasons = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(new Set(reasons)).toEqual(
    new Set(['This link was opened before; it works once. Request a new link.']),
  );
});

test('a link that is too old, ended or misspelled opens nothing, and says what to do', async () => {
  const { key, keyId } = await partnerOf(under);
  const problem = (code: string) =>
    sessions()
      .openSession({ code })
      .catch(({ kind, message }) => `${kind}: ${message}`);
  const old = codeOf((await link(key)).body.url);
  const ended = codeOf((await link(key)).body.url);
  await query(
    under.database.ownerUrl,
    `update portal_sessions set opens_until = now() - interval '1 s' where parent_id = $1`,
    [keyId],
  );
  const expired = 'NOT_FOUND: This link has expired, or was ended. Request a new link.';
  expect(await problem(old)).toBe(expired);
  expect((await call('DELETE', `${base}/portal-links`, { key })).status).toBe(204);
  expect(await problem(ended)).toBe(expired);
  expect(await problem(`${ended}x`)).toMatch(/^NOT_FOUND: This link is not complete/);
});

test('no session outlives its key, its link or its sign-out by 5 s, on any replica', async () => {
  const ends: Record<string, (key: string, keyId: string, secret: string) => Promise<unknown>> = {
    'revoked key': (_key, keyId) => under.operator.revokeKey({ id: keyId }),
    'rotated key': (_key, keyId) => under.operator.rotateKey({ id: keyId, overlapSeconds: 0 }),
    'ended links': (key) => call('DELETE', `${base}/portal-links`, { key }),
    'sign-out': (_key, _keyId, secret) => sessions().endSession({ secret }),
    'an operator': async (_key, _keyId, secret) => {
      const { session } = await sessions().getSession({ secret });
      await under.operator.endPortalSession({ id: session!.id });
    },
    'disabled organization': async (_key, _keyId, secret) => {
      const { session } = await sessions().getSession({ secret });
      await under.operator.setOrganizationEnabled({ id: session!.organizationId, enabled: false });
    },
  };
  await Promise.all(
    Object.entries(ends).map(async ([what, end]) => {
      const { key, keyId } = await partnerOf(under);
      const secret = await open(key);
      const codes = () =>
        Promise.all(under.baseUrls.map((at) => codeFrom(secret, 'GET', '/ping', at)));
      expect([what, await codes()]).toEqual([what, [200, 200]]);
      await end(key, keyId, secret);
      await until(async () => (await codes()).every((code) => code !== 200), {
        deadlineMs: endsWithinMs,
        what: `the end of the session by ${what}`,
      });
    }),
  );
});

test('a session without use for 30 minutes has ended, and one in use has not', async () => {
  const [idle, used] = [await ofOrganization(), await ofOrganization()];
  const opened = (secret: string, minutes: number, ofUse: string) =>
    query(
      under.database.ownerUrl,
      `update portal_sessions set opened_at = now() - interval '3 h',
        ${ofUse} = now() - make_interval(mins => $2) where organization_id = $1`,
      [secret, minutes],
    );
  await opened(idle.organizationId, 31, 'last_used_at');
  await opened(used.organizationId, 29, 'last_used_at');
  expect(await codeFrom(idle.secret, 'GET', '/ping')).toBe('API_KEY_EXPIRED');
  expect(await codeFrom(used.secret, 'GET', '/ping')).toBe(200);
  await expect(sessions().getSession({ secret: idle.secret })).rejects.toMatchObject({
    kind: 'INVALID_API_KEY',
  });
});

test('sessions share budgets beside that of their key, however many links there are', async () => {
  const { key } = await partnerOf(under, { reads: 20, writes: 100 });
  const secrets = [await open(key), await open(key), await open(key)];
  const asked = await Promise.all(
    Array.from({ length: 60 }, (_, n) => codeFrom(secrets[n % 3]!, 'GET', '/ping')),
  );
  // without Redis each of two replicas grants its half
  expect(asked.filter((code) => code === 200)).toHaveLength(10);
  expect(await codeFrom(key, 'GET', '/ping')).toBe(200);
  const another = await partnerOf(under, { reads: 20 });
  expect(await codeFrom(await open(another.key), 'GET', '/ping')).toBe(200);
});

test('a session may be used from the addresses of its key alone', async () => {
  const { organizationId } = await partnerOf(under);
  const issued = await under.operator.issueKey({
    organizationId,
    scopes: ['orders:read'],
    allowedCidrs: ['127.0.0.0/8'],
  });
  const secret = await open(issued.secret);
  expect(await codeFrom(secret, 'GET', '/ping')).toBe(200);
  await under.operator.setKeyAllowedCidrs({ id: issued.key!.id, allowedCidrs: ['192.0.2.0/24'] });
  await until(
    async () => (await codeFrom(secret, 'GET', '/ping')) === 'CLIENT_ADDRESS_NOT_ALLOWED',
    { deadlineMs: endsWithinMs, what: 'the address is refused' },
  );
});

test('an endpoint of another organization has no link', async () => {
  const { key } = await partnerOf(under);
  const foreign = await link(key, { endpoint_id: unknown });
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND']);
});

test('no secret of a link or a session is stored or logged', async () => {
  const { key } = await partnerOf(under);
  const { url } = (await link(key)).body;
  const { secret } = await sessions().openSession({ code: codeOf(url) });
  await codeFrom(secret, 'GET', '/ping');
  const stored = await query(under.database.ownerUrl, 'select * from portal_sessions');
  for (const text of [JSON.stringify(stored), under.logged.join(), under.operators.logged.join()]) {
    expect(text).not.toContain(codeOf(url).slice(4, -6));
    expect(text).not.toContain(secret.slice(9, -6));
  }
});

test('the last use of a session is recorded, and of no key', async () => {
  const { organizationId, secret, keyId } = await ofOrganization();
  await codeFrom(secret, 'GET', '/ping');
  await until(
    async () => {
      const { sessions: all } = await under.operator.listPortalSessions({ organizationId });
      return all[0]?.lastUsedAt !== '';
    },
    { what: 'the last use' },
  );
  const { keys } = await under.operator.listKeys({ organizationId });
  expect(keys.find(({ id }) => id === keyId)?.lastUsedAt).toBe('');
});
