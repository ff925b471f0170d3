import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Mesh, startMesh } from '../mesh.ts';
import { operator, operatorAs } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';

let mesh: Mesh;
beforeAll(async () => {
  mesh = await startMesh({ kafka: false });
}, 100_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

type Work = (...command: string[]) => Promise<number>;

interface Action {
  readonly operator: string;
  readonly action: string;
  readonly target: string | null;
  readonly outcome: string;
}

test('after a day of work the audit log has each command once, with the name of its operator', async () => {
  const org = mesh.file().organizations[0]!.id;
  const created = await partner(mesh).post('/orders', orderBody(), { 'idempotency-key': 'audit' });
  const order = created.body.id as string;
  await partner(mesh).get(`/orders/${order}/events`); // waits until the ledger has its chain
  const as = async (name: string, roles: readonly string[]) => {
    const flags = roles.flatMap((role) => ['--role', role]);
    const words = ['token', 'issue', '--name', name, '--expires-in', '1h', ...flags];
    const { token } = (await operator(mesh, ...words)).json as { token: string };
    return async (...command: string[]) => (await operatorAs(mesh, token, command)).code;
  };
  const dispatcher = await as('Dora Dispatcher', ['dispatcher']);
  const auditor = await as('Otto Auditor', ['auditor']);
  const support = await as('Sam Support', ['support']);

  const day: readonly [Work, string[], string, string | null, string][] = [
    [dispatcher, ['order', 'show', order], 'ShowOrder', order, 'ok'],
    [dispatcher, ['order', 'assign', order, '--to', 'Fast'], 'AssignOrder', order, 'ok'],
    [dispatcher, ['order', 'accept', order], 'AcceptOrder', order, 'ok'],
    [dispatcher, ['order', 'accept', order], 'AcceptOrder', order, 'ILLEGAL_TRANSITION'],
    [dispatcher, ['order', 'driver', order, '--name', 'Dirk'], 'AssignDriver', order, 'ok'],
    [dispatcher, ['order', 'incident', order, '--note', 'rain'], 'ReportIncident', order, 'ok'],
    [dispatcher, ['order', 'list', '--org', org], 'ListOrganizationOrders', org, 'ok'],
    [auditor, ['ledger', 'export', order], 'ExportChain', order, 'ok'],
    [
      auditor,
      ['ledger', 'acknowledge', order, '--reason', 'x'],
      'AcknowledgeViolations',
      order,
      'NOT_FOUND',
    ],
    [support, ['key', 'list', '--org', org], 'ListKeys', org, 'ok'],
    [support, ['endpoint', 'list', '--org', org], 'ListOrganizationEndpoints', org, 'ok'],
    [support, ['org', 'disable', org], 'SetOrganizationEnabled', org, 'denied'],
    [support, ['order', 'cancel', order, '--reason', 'x'], 'CancelOrder', order, 'denied'],
  ];
  for (const [work, words, , , outcome] of day)
    expect([words, await work(...words)]).toEqual([words, outcome === 'ok' ? 0 : 1]);

  const names = new Map<Work, string>([
    [dispatcher, 'Dora Dispatcher'],
    [auditor, 'Otto Auditor'],
    [support, 'Sam Support'],
  ]);
  const { json } = await operator(mesh, 'audit', 'list', '--limit', '0');
  const recorded = (json as Action[])
    .filter((row) => [...names.values()].includes(row.operator))
    .map((row) => [row.operator, row.action.split('/')[1], row.target, row.outcome])
    .reverse();
  expect(recorded).toEqual(
    day.map(([work, , action, target, outcome]) => [names.get(work), action, target, outcome]),
  );
});

test("the partners' gateway can neither change nor read the audit log", async () => {
  const client = new pg.Client({ connectionString: mesh.file().stores.postgres.access });
  await client.connect();
  try {
    for (const statement of [
      'select 1 from operator_actions',
      "update operator_actions set target = 'x'",
      'delete from operator_outcomes',
      'truncate operator_actions cascade',
    ])
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  } finally {
    await client.end();
  }
});
