import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StatusService } from '@pto/proto/operators/v1/status';
import { AuditKind } from '@pto/proto/orders/v1/violations';
import { connectClient } from '@pto/rpc';
import { tlsOf } from '@pto/testing';
import pg from 'pg';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let owner: pg.Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new pg.Client(under.database.superuserUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await under.stop();
});

/** What `operator status` reads of the audits, by the names of the metrics. */
const audits = async (): Promise<Record<string, number>> => {
  const status = connectClient(StatusService, {
    urls: [`https://127.0.0.1:${under.service.connectPort}`],
    server: 'orders',
    operator: 'An Operator',
    tls: tlsOf('operators'),
  });
  const { measurements } = await status.getMeasurements({});
  return Object.fromEntries(
    measurements
      .filter(({ name }) => name.includes('_audit_'))
      .map(({ name, value }) => [name, value]),
  );
};
const report = (kind: AuditKind, violations: number) =>
  under.violations.recordViolations({ completed: { kind, violations } });
const aDayAgo = () =>
  owner.query(`update ledger_audits set completed_at = clock_timestamp() - interval '1 day'`);

test('before the first audit, the time since the migration is shown, and no result', async () => {
  await aDayAgo();
  const shown = await audits();
  expect(Object.keys(shown).toSorted()).toEqual([
    'custody_last_audit_seconds',
    'custody_last_full_audit_seconds',
  ]);
  expect(shown.custody_last_audit_seconds).toBeGreaterThanOrEqual(86_400);
});

test('an audit that the auditor completes ends the age of its kind and shows its result', async () => {
  await aDayAgo();
  await report(AuditKind.NEW_ENTRIES, 0);
  const first = await audits();
  expect(first.custody_last_audit_seconds).toBeLessThan(600);
  expect(first.custody_last_audit_violations).toBe(0);
  expect(first.custody_last_full_audit_seconds).toBeGreaterThanOrEqual(86_400);
  await report(AuditKind.FULL, 3);
  const second = await audits();
  expect(second.custody_last_full_audit_seconds).toBeLessThan(600);
  expect(second.custody_last_full_audit_violations).toBe(3);
  expect(second.custody_last_audit_violations).toBe(0);
});

test('a report without a completed audit leaves the age as it is', async () => {
  await aDayAgo();
  await under.violations.recordViolations({ resolvedIds: [] });
  expect((await audits()).custody_last_audit_seconds).toBeGreaterThanOrEqual(86_400);
});

test('an audit of an unknown kind, or with an impossible result, is rejected', async () => {
  for (const completed of [
    { kind: AuditKind.UNSPECIFIED, violations: 0 },
    { kind: 7 as AuditKind, violations: 0 },
    { kind: AuditKind.FULL, violations: 2 ** 31 },
  ])
    await expect(under.violations.recordViolations({ completed })).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
});
