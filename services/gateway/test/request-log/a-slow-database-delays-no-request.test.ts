import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { RequestContext } from '../../src/admission/request-context.ts';
import { startRequestLog } from '../../src/request-log/request-log.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { rowsOf, whileLocked } from './rows.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayService();
});
afterAll(() => under.stop());

test('requests are answered while no row can be added, and have their rows afterwards', async () => {
  const { organizationId, key } = await partnerOf(under);
  await whileLocked(under, async () => {
    for (let n = 0; n < 20; n++)
      expect((await call('GET', `${under.baseUrls[0]}/ping`, { key })).status).toBe(200);
    const failed = (line: string) => line.includes('cannot write the log of requests');
    await until(() => under.logged.some(failed), { what: 'a batch that failed' });
    expect(await rowsOf(under, organizationId)).toEqual([]);
  });
  await until(async () => (await rowsOf(under, organizationId)).length === 20, {
    what: 'every row, once',
  });
});

/** A log of its own on the same database, and a way to record requests of one organization. */
const startLog = async () => {
  const telemetry = createTelemetry({ service: 'gateway', write: () => {} });
  const db = await openDatabase({
    url: under.database.serviceUrl,
    poolMax: 2,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 2000,
    telemetry,
  });
  const log = startRequestLog(db, '/api', new Set(), telemetry);
  const organization = { id: crypto.randomUUID(), name: 'Busy Clinic', enabled: true };
  return {
    organizationId: organization.id,
    record: (requestId: string) => {
      const context = new RequestContext();
      context.isWithinBudget = true;
      context.credentials = { keyId: crypto.randomUUID(), organization } as never;
      const response = { status: 200, durationMs: 1, requestId };
      log.record({ context, method: 'GET', path: '/api/ping', ...response });
    },
    dropped: async () => {
      const metrics = await telemetry.metrics.metrics();
      return Number(/^gateway_request_log_dropped_total\S* (\d+)/m.exec(metrics)![1]);
    },
    stop: log.stop,
    close: () => db.close(),
  };
};

test('20,000 rows wait, further ones are dropped and counted, and a stop writes those that wait', async () => {
  const log = await startLog();
  await whileLocked(under, async () => {
    for (let n = 0; n < 20_100; n++) log.record('r');
  });
  await log.stop();
  expect(await rowsOf(under, log.organizationId)).toHaveLength(20_000);
  expect(await log.dropped()).toBe(100);
  await log.close();
});

test('a batch that the database rejects is dropped, and those after it are stored', async () => {
  const log = await startLog();
  log.record('\0'); // no text of PostgreSQL
  await until(async () => (await log.dropped()) === 1, { what: 'a dropped row' });
  log.record('fine');
  await log.stop();
  const rows = await rowsOf(under, log.organizationId);
  expect(rows.map(({ request_id }) => request_id)).toEqual(['fine']);
  await log.close();
});
