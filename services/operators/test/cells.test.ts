import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { AccessService } from '@pto/proto/access/v1/access';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import type { Implementation } from '@pto/rpc';
import {
  type Behind,
  emptyServices,
  type OperatorsUnderTest,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const endpointId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a12';
const unknownId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a13';
/** An endpoint that a move holds in the cell. */
const heldId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a14';
const names = ['main', 'north'];

let cells: Behind[];
let under: OperatorsUnderTest;
let token: string;
let organizationId: string;
/** The calls that changed or read something: the cell and the RPC. */
let calls: string[] = [];
/** A cell whose services respond to nothing until `resume` is called. */
let silent: string | undefined;
/** A cell whose services fail. */
let failing: string | undefined;
let resume: () => void;
let resumed: Promise<void>;

const unknown = () => {
  throw new Failure('NOT_FOUND', 'There is no such thing.');
};

/** The services of a cell. Only north knows the order and the endpoint. */
const servicesOf = (cell: string): Implementation[] =>
  emptyServices().map(({ service, handlers }) => ({
    service,
    handlers: Object.fromEntries(
      Object.keys(handlers).map((rpc) => [
        rpc,
        async (request: Readonly<Record<string, unknown>>) => {
          if (cell === silent) await resumed;
          if (cell === failing) throw new Failure('INTERNAL', 'disk full');
          if (rpc === 'showOrder')
            return cell === 'north' && request.orderId === orderId
              ? { order: { organizationId } }
              : unknown();
          if (request.id === heldId)
            throw new Failure('ORGANIZATION_HELD', 'The organization is moved.');
          if (rpc === 'showEndpoint' && (cell !== 'north' || request.id !== endpointId)) unknown();
          calls.push(`${cell} ${rpc}`);
          return {};
        },
      ]),
    ),
  }));

beforeAll(async () => {
  cells = await Promise.all(names.map((cell) => startBehind(servicesOf(cell))));
  const inEach = (variable: string) =>
    names
      .map((cell, n) => `${cell}=${(cells[n]!.environment as Record<string, string>)[variable]}`)
      .join(';');
  under = await startOperatorsService({
    environment: Object.fromEntries(
      ['ORDERS_URL', 'CUSTODY_URL', 'WEBHOOKS_URL'].map((name) => [name, inEach(name)]),
    ),
  });
  token = await tokenOf(under.database);
  const access = under.client(AccessService, 'access', token);
  const { organization } = await access.createOrganization({ name: 'Clinic', cell: 'north' });
  organizationId = organization!.id;
});
beforeEach(() => {
  calls = [];
  resumed = new Promise((resolve) => {
    resume = resolve;
  });
});
afterEach(() => {
  silent = undefined;
  failing = undefined;
  resume();
});
afterAll(async () => {
  await under?.stop();
  await Promise.all(cells.map((cell) => cell.stop()));
});

const orders = (cell?: string) => under.client(OrderCommandService, 'orders', token, cell);
const ledger = (cell?: string) => under.client(LedgerService, 'custody', token, cell);
const violations = (cell?: string) => under.client(ViolationService, 'orders', token, cell);
const deliveries = (cell?: string) => under.client(DeliveryService, 'webhooks', token, cell);

test('a call about an organization goes to its cell, whatever the operator named', async () => {
  await orders().listOrganizationOrders({ organizationId });
  await deliveries('main').listOrganizationEndpoints({ organizationId });
  expect(calls).toEqual(['north listOrganizationOrders', 'north listOrganizationEndpoints']);
  await expect(
    orders().listOrganizationOrders({ organizationId: unknownId }),
  ).rejects.toMatchObject({ kind: 'NOT_FOUND' });
});

test('a command on an order goes to the cell of its organization, of every service', async () => {
  await orders().assignOrder({ circumstances: { orderId } });
  await ledger().exportChain({ orderId });
  await deliveries('main').listOrderDeliveries({ orderId });
  expect(calls).toEqual(['north assignOrder', 'north exportChain', 'north listOrderDeliveries']);
  await expect(ledger().exportChain({ orderId: unknownId })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
});

test('a call about a ledger goes to the cell that the operator named, whatever its order', async () => {
  await ledger('main').verifyChains({ orderId });
  await violations('main').acknowledgeViolations({ orderId, reason: 'it has moved' });
  await violations().acknowledgeViolations({ orderId, reason: 'it is here' });
  expect(calls).toEqual([
    'main verifyChains',
    'main acknowledgeViolations',
    'north acknowledgeViolations',
  ]);
  await expect(ledger('south').exportChain({ orderId })).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
});

test('an order that no cell knows is reached in the cell that the operator named', async () => {
  await violations('north').acknowledgeViolations({ orderId: unknownId, reason: 'a restore' });
  await ledger('north').exportChain({ orderId: unknownId });
  await deliveries('north').listOrderDeliveries({ orderId: unknownId });
  expect(calls).toEqual([
    'north acknowledgeViolations',
    'north exportChain',
    'north listOrderDeliveries',
  ]);
  await expect(
    violations().acknowledgeViolations({ orderId: unknownId, reason: 'a restore' }),
  ).rejects.toMatchObject({
    kind: 'NOT_FOUND',
    message: expect.stringContaining('--cell main or --cell north'),
  });
});

test('another id goes to the cell that knows it', async () => {
  await deliveries().showEndpoint({ id: endpointId });
  expect(calls).toEqual(['north showEndpoint']);
  await expect(deliveries().showEndpoint({ id: unknownId })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
});

test('an endpoint whose organization has left the cell that the operator named is reported as such', async () => {
  await expect(
    deliveries('main').showEndpoint({ id: heldId }, { timeoutMs: 2000 }),
  ).rejects.toMatchObject({
    kind: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('has left the cell main. Repeat the call without --cell.'),
  });
});

test('a cell that does not respond keeps operators from nothing of another cell', async () => {
  silent = 'main';
  const soon = { timeoutMs: 3000 };
  await orders().assignOrder({ circumstances: { orderId } }, soon);
  await deliveries().showEndpoint({ id: endpointId }, soon);
  await deliveries().sendTest({ id: endpointId }, soon);
  expect(calls).toEqual([
    'north assignOrder',
    'north showEndpoint',
    'north showEndpoint',
    'north sendTest',
  ]);
});

test('an id that only a cell without a response may know is reported as such', async () => {
  silent = 'main';
  const failed = await Promise.allSettled([
    orders().assignOrder({ circumstances: { orderId: unknownId } }),
    deliveries().showEndpoint({ id: unknownId }),
    deliveries().sendTest({ id: unknownId }),
  ]);
  for (const { reason } of failed as PromiseRejectedResult[])
    expect(reason).toMatchObject({
      kind: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('do not respond: main'),
    });
  expect(calls).toEqual([]);
}, 20_000);

test('a cell that fails is reported by its failure, and keeps operators from no other', async () => {
  failing = 'north';
  await expect(deliveries().showEndpoint({ id: endpointId })).rejects.toMatchObject({
    kind: 'INTERNAL',
  });
  failing = 'main';
  await deliveries().showEndpoint({ id: endpointId });
});

test('a read that takes more than half of its time is not ended', async () => {
  silent = 'north';
  const reading = deliveries().showEndpoint({ id: endpointId }, { timeoutMs: 9000 });
  await sleep(5500); // longer than a look-up
  resume();
  await reading;
  expect(calls).toEqual(['north showEndpoint']);
}, 20_000);

test('a call about no single organization needs the name of a cell that there is', async () => {
  await expect(ledger().verifyChains({})).rejects.toMatchObject({
    kind: 'VALIDATION',
    message: expect.stringContaining('main, north'),
  });
  await expect(ledger('south').verifyChains({})).rejects.toMatchObject({ kind: 'VALIDATION' });
  expect(calls).toEqual([]);
  await ledger('main').verifyChains({});
  await ledger('north').verifyChains({});
  // the log of actions has the names
  const audit = under.client(AuditService, 'operators', token);
  const { actions } = await audit.listActions({ action: 'VerifyChains' });
  expect(actions.map(({ request }) => JSON.parse(request).cell)).toEqual(
    expect.arrayContaining(['main', 'north', 'south']),
  );
  expect(calls).toEqual(['main verifyChains', 'north verifyChains']);
});

test('an organization is created in the main cell, or in one that there is', async () => {
  const access = under.client(AccessService, 'access', token);
  const { organization } = await access.createOrganization({ name: 'Laboratory' });
  expect(organization!.cell).toBe('main');
  await expect(access.createOrganization({ name: 'X', cell: 'south' })).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
  const { cells: known } = await under.client(OperatorService, 'operators', token).whoAmI({});
  expect(known).toEqual(names);
});

test('settings that name different cells are rejected', async () => {
  const environment = { CUSTODY_URL: 'main=https://127.0.0.1:1;south=https://127.0.0.1:1' };
  await expect(
    startOperatorsService({
      database: under.database,
      environment: { ...under.environment, ...environment },
    }),
  ).rejects.toThrow('name different cells');
});
