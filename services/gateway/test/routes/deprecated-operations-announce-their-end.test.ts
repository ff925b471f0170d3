import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startHttpServer } from '@pto/lifecycle';
import { createTelemetry } from '@pto/telemetry';
import express from 'express';
import { createAdmission } from '../../src/admission/admission.ts';
import { createBudgets, keyBudgets } from '../../src/admission/budgets.ts';
import { createWaits } from '../../src/admission/waits.ts';
import { gatewayTimings } from '../../src/config.ts';
import { observer } from '../../src/http/observer.ts';
import { createResponder, nothing } from '../../src/http/respond.ts';
import { openapiDocument } from '../../src/openapi/document.ts';
import { order, orderPath } from '../../src/resources/orders.ts';
import { route } from '../../src/routes/route.ts';
import { routerOf } from '../../src/routes/router.ts';
import type { Document } from '../openapi/openapi-answers.ts';

const deprecated = {
  since: new Date('2026-01-15T00:00:00Z'),
  sunset: new Date('2027-01-31T23:59:59Z'),
};
const common = { method: 'GET', scope: 'orders:read', success: 204, summary: 's' } as const;
const handle = async () => nothing();
const table = [
  route({
    ...common,
    name: 'old',
    path: '/old/:order_id',
    schemas: { path: orderPath },
    deprecated,
    handle,
  }),
  route({
    ...common,
    name: 'new',
    path: '/new/:order_id',
    schemas: { path: orderPath },
    response: order,
    handle,
  }),
];

let server: Awaited<ReturnType<typeof startHttpServer>>;
let enabled: boolean;
beforeAll(async () => {
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const made = createBudgets({ redis: null, replicas: 1, telemetry });
  const budgets = keyBudgets(made, { reads: 3, writes: 3, rejected: 100 });
  const responder = createResponder({
    budgets,
    telemetry,
    rejectionHoldMs: 0,
    timings: { sendMs: 1000 },
    draining: () => false,
  });
  const admission = createAdmission(8, telemetry);
  const app = express();
  app.use(observer(telemetry, () => {}));
  app.use((_, response, next) => {
    response.locals.context.credentials = {
      keyId: 'k',
      organization: { id: 'o', name: 'O', enabled, cell: 'main', isMoving: false },
      scopes: new Set(['orders:read']),
      limits: { reads: null, writes: null },
      expiresAt: Number.POSITIVE_INFINITY,
      revoked: false,
      allowedFrom: null,
      countedAs: 'key',
      sharesSlotsAs: 'organization',
      link: null,
      isSession: false,
      readOnly: false,
      endpointId: null,
    };
    next();
  });
  const waits = createWaits(admission, telemetry);
  const largeBodies = { parse: () => Promise.reject(), stop: async () => {} };
  const by = { budgets, admission, waits, largeBodies, responder, timings: gatewayTimings };
  app.use(routerOf(table, '', by));
  app.use(responder.handleError);
  server = await startHttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    limit: () => {},
  });
});
afterAll(() => server.stop());

const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const announced = async (path: string) => {
  const { status, headers } = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return [status, ...['deprecation', 'sunset'].map((name) => headers.get(name))];
};

test('every response, errors included, has Deprecation and Sunset', async () => {
  const said = ['@1768435200', 'Sun, 31 Jan 2027 23:59:59 GMT'];
  enabled = true;
  expect(await announced(`/old/${id}`)).toEqual([204, ...said]);
  expect(await announced('/old/x')).toEqual([422, ...said]);
  expect(await announced(`/new/${id}`)).toEqual([204, null, null]);
  expect(await announced(`/old/${id}`)).toEqual([429, ...said]);
  enabled = false;
  expect(await announced(`/old/${id}`)).toEqual([403, ...said]);
});

test('the document marks the operation', () => {
  const document = openapiDocument(table) as unknown as Document;
  const paths = ['/old/{order_id}', '/new/{order_id}'];
  expect(paths.map((path) => document.paths[path]?.get?.deprecated)).toEqual([true, undefined]);
});
