import { create, type DescField } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newApiKey } from '@pto/access';
import { Failure } from '@pto/errors';
import { AccessService } from '@pto/proto/access/v1/access';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { type Caller, callers } from '@pto/proto/callers';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { StatusService } from '@pto/proto/operators/v1/status';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { withRequestId } from '@pto/telemetry';
import { until } from '@pto/testing';
import { requestText } from '../src/audit/audit-log.ts';
import { remoteMounts } from '../src/calls/forward.ts';
import {
  type Behind,
  emptyServices,
  type OperatorsUnderTest,
  query,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

const orderId = '01900000-0000-7000-8000-000000000001';
let forwarded = 0;
const released = Promise.withResolvers<void>();
let lastCaller: Caller | undefined;
let behind: Behind;
let under: OperatorsUnderTest;
let admin: string;
beforeAll(async () => {
  behind = await startBehind(
    emptyServices(async (rpc, caller) => {
      forwarded++;
      lastCaller = caller;
      if (rpc === 'DeclineAssignment') await released.promise;
      if (rpc === 'AssignOrder') throw new Failure('ILLEGAL_TRANSITION', 'It is CLOSED.');
      return {};
    }),
  );
  under = await startOperatorsService({ behind });
  admin = await tokenOf(under.database);
});
afterAll(async () => {
  await under.stop();
  await behind.stop();
});

const actions = async (filter: object = {}) =>
  (await under.client(AuditService, 'operators', admin).listActions(filter)).actions;
const orders = (credential = admin) => under.client(OrderCommandService, 'orders', credential);

test('a command is one row with operator, RPC, target, request and outcome', async () => {
  await orders().acceptOrder({ circumstances: { orderId, payloadJson: '{"reference":1}' } });
  const [action, ...more] = await actions({ action: 'AcceptOrder' });
  expect(more).toEqual([]);
  expect(action).toMatchObject({
    operatorName: 'Ada Operator',
    credential: 'token',
    roles: ['support', 'dispatcher', 'admin', 'auditor'],
    rpc: 'orders.v1.OrderCommandService/AcceptOrder',
    target: orderId,
    clientAddress: '127.0.0.1',
    outcome: 'ok',
  });
  expect(JSON.parse(action!.request)).toEqual({
    circumstances: { orderId, payloadJson: '[redacted]' },
  });
  expect(action!.durationMs).toBeGreaterThanOrEqual(0);
  expect(lastCaller).toEqual({ process: 'operators', operator: 'Ada Operator' });
});

test('no personal data of a command is recorded', async () => {
  await orders().assignDriver({ circumstances: { orderId }, driver: 'Canary Kern' });
  await orders().reportIncident({ circumstances: { orderId }, note: 'Canary note' });
  await orders().escalateOrder({ circumstances: { orderId }, note: 'Canary note' });
  await orders().updateOrder({ circumstances: { orderId }, notes: 'Canary note' });
  const reason = 'request 17';
  await orders().erasePersonalData({ circumstances: { orderId }, fields: ['driver'], reason });
  const recorded = await actions({ target: orderId });
  expect(JSON.stringify(recorded.map(({ request }) => request))).not.toContain('Canary');
  const requests = recorded.map(({ rpc, request }) => [rpc.split('/')[1], JSON.parse(request)]);
  expect(Object.fromEntries(requests)).toMatchObject({
    AssignDriver: { driver: '[redacted]' },
    ReportIncident: { note: '[redacted]' },
    EscalateOrder: { note: '[redacted]' },
    UpdateOrder: { notes: '[redacted]' },
    ErasePersonalData: { fields: ['driver'], reason },
  });
});

test('a call that runs, or whose process ended before it, has the outcome unknown', async () => {
  const before = forwarded;
  const running = orders().declineAssignment({ circumstances: { orderId } });
  await until(() => forwarded > before, { what: 'the forwarded call' });
  const unknown = await actions({ outcome: 'unknown', target: orderId });
  expect(unknown).toMatchObject([{ operatorName: 'Ada Operator', target: orderId }]);
  expect(unknown[0]!.durationMs).toBeUndefined();
  released.resolve();
  await running;
  expect(await actions({ action: 'DeclineAssignment' })).toMatchObject([{ outcome: 'ok' }]);
});

test('a rejected command is recorded with the kind of failure', async () => {
  await expect(orders().assignOrder({ circumstances: { orderId } })).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
  });
  expect(await actions({ action: 'AssignOrder' })).toMatchObject([
    { outcome: 'ILLEGAL_TRANSITION', target: orderId },
  ]);
});

test('an attempt that no role allows is recorded and not forwarded', async () => {
  const support = await tokenOf(under.database, ['support'], 'Sam Support');
  const before = forwarded;
  await expect(orders(support).waiveEvidence({ circumstances: { orderId } })).rejects.toMatchObject(
    {
      kind: 'OPERATOR_NOT_PERMITTED',
      details: { required_roles: ['dispatcher'] },
    },
  );
  expect(forwarded).toBe(before);
  expect(await actions({ outcome: 'denied' })).toMatchObject([
    { operatorName: 'Sam Support', rpc: 'orders.v1.OrderCommandService/WaiveEvidence' },
  ]);
});

test('a failed sign-in is counted and not recorded', async () => {
  const before = (await actions()).length;
  const unknown = under.client(OperatorService, 'operators', 'opt_no');
  await expect(unknown.whoAmI({})).rejects.toMatchObject({ kind: 'OPERATOR_NOT_AUTHENTICATED' });
  // the first read of the log is one more row
  expect((await actions()).length).toBe(before + 1);
  const counter = under.telemetry.metrics.getSingleMetric('operator_sign_in_failures_total');
  expect((await counter!.get()).values).toMatchObject([
    { labels: { credential: 'token' }, value: 1 },
  ]);
});

test('the pages of one read are one row, and repeated commands are several', async () => {
  const letters = under.client(DeadLetterService, 'orders', admin);
  await withRequestId('one-command', async () => {
    for (const afterId of ['', '1', '2']) await letters.listDeadLetters({ topic: 't', afterId });
    for (const id of ['1', '1']) await letters.replayDeadLetter({ id });
    // a page with other filters belongs to another read
    const audit = under.client(AuditService, 'operators', admin);
    for (const outcome of ['ok', 'denied'])
      await audit.listActions({ outcome, beforeId: orderId, pageSize: 3 });
  });
  const mine = (await actions()).filter(({ requestId }) => requestId === 'one-command');
  expect(mine.map(({ rpc }) => rpc.split('/')[1])).toEqual([
    'ListActions',
    'ListActions',
    'ReplayDeadLetter',
    'ReplayDeadLetter',
    'ListDeadLetters',
  ]);
});

test('the measurements that every page reads again are one row in an hour', async () => {
  const status = under.client(StatusService, 'orders', admin);
  const read = (page: string, refresh: boolean) =>
    withRequestId(page, () => status.getMeasurements({ refresh }));
  const rows = async () => (await actions({ action: 'GetMeasurements' })).length;
  for (const page of ['page-1', 'page-2', 'page-3']) await read(page, true);
  expect([1, 2]).toContain(await rows()); // 2 if the hour ended meanwhile
  const before = await rows();
  for (const page of ['page-4', 'page-4']) await read(page, false);
  expect(await rows()).toBe(before + 2);
});

test('five calls under one request id of the client are five rows', async () => {
  await withRequestId('chosen-by-the-client', async () => {
    for (let n = 0; n < 5; n++) await orders().showOrder({ orderId });
    const letters = under.client(DeadLetterService, 'orders', admin);
    for (const topic of ['a', 'b', 'a', 'b', 'a']) await letters.listDeadLetters({ topic });
  });
  const mine = (await actions()).filter(({ requestId }) => requestId === 'chosen-by-the-client');
  expect(mine.map(({ rpc }) => rpc.split('/')[1]).sort()).toEqual([
    ...Array<string>(5).fill('ListDeadLetters'),
    ...Array<string>(5).fill('ShowOrder'),
  ]);
  expect(new Set(mine.map(({ id }) => id)).size).toBe(10);
  for (const { outcome } of mine) expect(outcome).toBe('ok');
});

test('a read with a failed page and a later good one is recorded as a success', async () => {
  const client = under.client(AuditService, 'operators', admin);
  await withRequestId('fails-first', async () => {
    const filter = { operator: 'Ada Operator' };
    await expect(client.listActions({ ...filter, beforeId: 'x' })).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
    await client.listActions({ ...filter, beforeId: orderId, pageSize: 3 });
    await expect(client.listActions({ ...filter, beforeId: 'y' })).rejects.toBeDefined();
  });
  const mine = (await actions()).filter(({ requestId }) => requestId === 'fails-first');
  expect(mine).toMatchObject([{ outcome: 'ok' }]);
  expect((await actions({ outcome: 'ok' })).map(({ id }) => id)).toContain(mine[0]!.id);
});

test('a secret in the place of an id is masked in the log', async () => {
  const access = under.client(AccessService, 'access', admin);
  const operators = under.client(OperatorService, 'operators', admin);
  const key = newApiKey('production');
  await withRequestId(key, () => expect(access.revokeKey({ id: key })).rejects.toBeDefined());
  await expect(operators.revokeToken({ id: admin })).rejects.toBeDefined();
  expect(await actions({ action: 'RevokeKey' })).toMatchObject([
    { target: 'svc_live_***', request: '{"id":"svc_live_***"}', requestId: 'svc_live_***' },
  ]);
  const rows = await query(under.database.ownerUrl, 'select * from operator_actions');
  expect(JSON.stringify(rows)).not.toContain(key);
  expect(JSON.stringify(rows)).not.toContain(admin);
});

test('the part of a long request where it is cut shows no part of a secret', () => {
  const method = OrderCommandService.method.reportIncident;
  const key = newApiKey('production');
  const text = requestText(method, create(method.input, { note: `${'.'.repeat(4060)}${key}` }));
  expect(text).not.toContain(key.slice(0, 12));
});

test('a call whose row cannot be written is refused and not forwarded', async () => {
  const before = forwarded;
  await query(under.database.ownerUrl, 'revoke insert on operator_actions from public');
  const role = new URL(under.database.operatorsUrl).username;
  await query(under.database.ownerUrl, `revoke insert on operator_actions from ${role}`);
  try {
    await expect(orders().acceptOrder({ circumstances: { orderId } })).rejects.toBeDefined();
    expect(forwarded).toBe(before);
  } finally {
    await query(under.database.ownerUrl, `grant insert on operator_actions to ${role}`);
  }
});

test('the log is filtered by operator, time, action, target and outcome, and read in pages', async () => {
  const grace = await tokenOf(under.database, ['dispatcher'], 'Grace');
  const since = new Date().toISOString();
  const targets = [1, 2, 3].map((n) => `01900000-0000-7000-8000-00000000000${n}`);
  for (const target of targets)
    await orders(grace).deliverOrder({ circumstances: { orderId: target } });
  expect(await actions({ operator: 'Grace' })).toHaveLength(3);
  expect(await actions({ operator: 'Grace', target: targets[1]! })).toHaveLength(1);
  expect(await actions({ operator: 'Grace', outcome: 'denied' })).toEqual([]);
  expect(await actions({ operator: 'Grace', action: 'DeliverOrder', since })).toHaveLength(3);
  expect(await actions({ operator: 'Grace', until: since })).toEqual([]);
  const client = under.client(AuditService, 'operators', admin);
  const first = await client.listActions({ operator: 'Grace', pageSize: 2 });
  const rest = await client.listActions({ operator: 'Grace', pageSize: 2, beforeId: first.nextId });
  expect([...first.actions, ...rest.actions].map(({ target }) => target)).toEqual(
    [...targets].reverse(),
  );
  expect(rest.nextId).toBe('');
  await expect(client.listActions({ since: 'yesterday' })).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
});

describe('no role can change or remove a row', () => {
  const tables = ['operator_actions', 'operator_outcomes'];
  const statements = (table: string) => [
    `update ${table} set at = now()`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ];
  test.each(['serviceUrl', 'operatorsUrl', 'readerUrl', 'ownerUrl'] as const)(
    '%s',
    async (role) => {
      for (const table of tables)
        for (const statement of statements(table))
          await expect(query(under.database[role], statement)).rejects.toMatchObject({
            code: '42501',
          });
    },
  );
});

test("the partners' gateway reads no operators and addresses, and writes no organizations and keys", async () => {
  const statements = [
    'select 1 from operator_tokens',
    'select 1 from operators',
    'select 1 from operator_actions',
    'select admins from organizations',
    'select count(*) from organizations where cardinality(admins) > 0',
    'select * from organizations',
    'select code_hash from portal_sessions',
    `insert into operator_tokens (id) values (gen_random_uuid())`,
    `insert into organizations (id) values (gen_random_uuid())`,
    'update organizations set enabled = true',
    `insert into api_keys (id) values (gen_random_uuid())`,
    'update api_keys set revoked_at = null',
    'delete from api_keys',
  ];
  for (const statement of statements)
    await expect(query(under.database.serviceUrl, statement)).rejects.toMatchObject({
      code: '42501',
    });
  await query(under.database.serviceUrl, 'update api_keys set last_used_at = now()');
  await query(
    under.database.serviceUrl,
    'select k.*, o.id, o.name, o.enabled, o.created_at, o.cell, o.is_moving from api_keys k, organizations o',
  );
});

test('a request is recorded up to 4 KiB', () => {
  const method = OrderCommandService.method.assignOrder;
  const long = { transportOrganization: '€'.repeat(3000) };
  const text = requestText(method, create(method.input, long));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4200);
  expect(text).toMatch(/€…$/);
});

test('no request of an operator RPC has a field for a secret', () => {
  const secret = /secret|password|credential|^key$|token$/i;
  const harmless = ['page_token'];
  const fieldsOf = (fields: readonly DescField[], seen = new Set<unknown>()): string[] =>
    fields.flatMap((field) => {
      if (!field.message || seen.has(field.message)) return [field.name];
      return [field.name, ...fieldsOf(field.message.fields, seen.add(field.message))];
    });
  const services = [
    AccessService,
    OperatorService,
    AuditService,
    ...remoteMounts.flatMap((mount) => mount.services),
  ];
  const found = services.flatMap(({ typeName, methods }) =>
    methods
      .filter(({ name }) => callers[typeName]![name]!.roles.length > 0)
      .flatMap(({ name, input }) => fieldsOf(input.fields).map((field) => ({ name, field })))
      .filter(({ field }) => secret.test(field) && !harmless.includes(field)),
  );
  expect(found).toEqual([]);
});
