import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import type { Credentials } from '../../../src/authentication/credentials.ts';
import { keyBudgets } from '../../../src/http/key-budgets.ts';
import { createObserver } from '../../../src/http/observe.ts';
import { nothing } from '../../../src/http/sending/partner-response.ts';
import { createResponder } from '../../../src/http/sending/responder.ts';
import type { Budgets } from '../../../src/limits/budget.ts';
import { answerBlockedRequests } from '../../../src/routes/blocked-requests.ts';
import { pathFinder } from '../../../src/routes/paths.ts';
import { route } from '../../../src/routes/route.ts';

const left = { limit: 1, remaining: 0, reset: 1_800_000_000, retryAfterSeconds: 7 };
const credentials: Credentials = {
  keyId: 'k',
  organization: { id: 'o', name: 'O', enabled: true },
  scopes: new Set(['orders:read']),
  limits: { reads: null, writes: null },
  expiresAt: Number.POSITIVE_INFINITY,
  revoked: false,
  allowedFrom: null,
};
const deprecated = {
  since: new Date('2026-01-15T00:00:00Z'),
  sunset: new Date('2027-01-31T23:59:59Z'),
  link: 'https://api.example.com/docs/v2',
};
const old = route({
  name: 'old',
  method: 'GET',
  path: '/old/:order_id',
  scope: 'orders:read',
  success: 204,
  summary: 's',
  deprecated,
  handle: async () => nothing,
});

const server = createServer();
afterEach(() => {
  server.close();
});

/** Starts the listener before an app that responds 204, on a replica that knows these budgets. */
const start = async (blocked: readonly string[]) => {
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const made: Budgets = {
    spend: async () => ({ ...left, allowed: false }),
    look: async () => left,
    blocked: (name) => (blocked.includes(name) ? left : undefined),
    anyBlocked: () => blocked.length > 0,
  };
  const budgets = keyBudgets(made, { reads: 1, writes: 1, rejected: 1 });
  const timing = { sendTimeoutMs: 1000, rejectionHoldMs: 0, draining: () => false };
  const uses: string[] = [];
  const listener = answerBlockedRequests(
    {
      find: pathFinder([old], ''),
      known: () => credentials,
      isAllowed: () => true,
      used: (keyId) => uses.push(keyId),
      budgets,
      observer: createObserver(telemetry),
      responder: createResponder({ budgets, telemetry, ...timing }),
    },
    (_, response) => response.writeHead(204).end(),
  );
  server.removeAllListeners('request').on('request', listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = () =>
    fetch(`http://127.0.0.1:${port}/old/1`, { headers: { authorization: 'Bearer svc_test_1' } });
  return { get, uses };
};

test('a blocked request counts as a use of its key, and announces the end of its operation', async () => {
  const { get, uses } = await start(['reads:k']);
  const { status, headers } = await get();
  expect([status, headers.get('retry-after'), headers.get('sunset')]).toEqual([
    429,
    '7',
    deprecated.sunset.toUTCString(),
  ]);
  expect(headers.get('x-ratelimit-reset')).toBe('1800000000');
  expect(uses).toEqual(['k']);
});

test.each([[[]], [['writes:k']], [['rejected:k']], [['reads:other']]])(
  'a read goes to the app if the blocked budgets are %j',
  async (blocked) => {
    const { get, uses } = await start(blocked);
    expect((await get()).status).toBe(204);
    expect(uses).toEqual([]);
  },
);
