import { expect, test } from '@jest/globals';
import pg from 'pg';
import { type Clients, openClients } from '../../operator/src/clients.ts';
import { operatorClients } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { sharedStack } from './test-stack.ts';

const stack = sharedStack();

type Work = (clients: Clients) => Promise<unknown>;

test('after a day of work the audit log has each command once, with the name of its operator', async () => {
  const organizationId = stack.file().organizations[0]!.id;
  const created = await partner(stack).post('/orders', orderBody(), { 'idempotency-key': 'audit' });
  const orderId = created.body.id as string;
  await partner(stack).get(`/orders/${orderId}/events`); // waits until the ledger has its chain
  const { operators, audit } = operatorClients(stack);
  const { env } = stack.file().operator;
  const as = async (role: string) => {
    const request = { name: `${role} of the audit log`, roles: [role], expiresInSeconds: 3600n };
    const { token, secret } = await operators.issueToken(request);
    return { name: token!.name, clients: openClients({ ...env, OPERATOR_TOKEN: secret }) };
  };
  const dispatcher = await as('dispatcher');
  const auditor = await as('auditor');
  const support = await as('support');

  const at = { circumstances: { orderId } };
  const accept: Work = ({ orders }) => orders.acceptOrder(at);
  const day: readonly [typeof support, Work, string, string | null, string][] = [
    [dispatcher, ({ orders }) => orders.showOrder({ orderId }), 'ShowOrder', orderId, 'ok'],
    [
      dispatcher,
      ({ orders }) => orders.assignOrder({ ...at, transportOrganization: 'Fast' }),
      'AssignOrder',
      orderId,
      'ok',
    ],
    [dispatcher, accept, 'AcceptOrder', orderId, 'ok'],
    [dispatcher, accept, 'AcceptOrder', orderId, 'ILLEGAL_TRANSITION'],
    [
      dispatcher,
      ({ orders }) => orders.listOrganizationOrders({ organizationId }),
      'ListOrganizationOrders',
      organizationId,
      'ok',
    ],
    [auditor, ({ ledger }) => ledger.exportChain({ orderId }), 'ExportChain', orderId, 'ok'],
    [
      auditor,
      ({ violations }) => violations.acknowledgeViolations({ orderId, reason: 'x' }),
      'AcknowledgeViolations',
      orderId,
      'NOT_FOUND',
    ],
    [
      support,
      ({ access }) => access.listKeys({ organizationId }),
      'ListKeys',
      organizationId,
      'ok',
    ],
    [
      support,
      ({ deliveries }) => deliveries.listOrganizationEndpoints({ organizationId }),
      'ListOrganizationEndpoints',
      organizationId,
      'ok',
    ],
    [
      support,
      ({ access }) => access.setOrganizationEnabled({ id: organizationId, enabled: false }),
      'SetOrganizationEnabled',
      organizationId,
      'denied',
    ],
    [
      support,
      ({ orders }) => orders.cancelOrder({ ...at, reason: 'x' }),
      'CancelOrder',
      orderId,
      'denied',
    ],
  ];
  for (const [{ clients }, work, action, , outcome] of day) {
    const hasWorked = await work(clients).then(
      () => true,
      () => false,
    );
    expect([action, hasWorked]).toEqual([action, outcome === 'ok']);
  }

  const names = [dispatcher, auditor, support].map(({ name }) => name);
  const { actions } = await audit.listActions({ pageSize: 1000 });
  const recorded = actions
    .filter(({ operatorName }) => names.includes(operatorName))
    .map((row) => [row.operatorName, row.rpc.split('/')[1], row.target, row.outcome])
    .reverse();
  expect(recorded).toEqual(
    day.map(([{ name }, , action, target, outcome]) => [name, action, target, outcome]),
  );
});

test("the partners' gateway can neither change nor read the audit log", async () => {
  const client = new pg.Client({ connectionString: stack.file().stores.postgres.access });
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
