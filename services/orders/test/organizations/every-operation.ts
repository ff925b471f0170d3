import { createHash, randomUUID } from 'node:crypto';
import { create, type DescService, toBinary } from '@bufbuild/protobuf';
import { type Bus, busSettings, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { CustodyEvidenceService, OrderCommandService } from '@pto/proto/orders/v1/commands';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { AuditKind, ViolationService, ViolationState } from '@pto/proto/orders/v1/violations';
import { custodyEventsTopic } from '@pto/proto/topics';
import { createTelemetry } from '@pto/telemetry';
import { pngPicture, until } from '@pto/testing';
import { aHandover, anOrderThat } from '../changes/an-order-in-transit.ts';
import {
  anOrder,
  asOwner,
  bodyOf,
  charite,
  keyed,
  type OrdersUnderTest,
  ordersCustodyKeys,
  startOrdersService,
} from '../orders-service.ts';

/** The services whose every RPC is called; dead letters have the bus's own tables alone. */
const services: readonly DescService[] = [
  OrderService,
  LocationService,
  OrderCommandService,
  CustodyEvidenceService,
  ViolationService,
];

/** Calls every RPC, lets every event and every periodic work happen. @returns the RPCs not called. */
export const everyOperation = async (under: OrdersUnderTest): Promise<string[]> => {
  const called = new Set<string>();
  const on = recording(under, called);
  await creations(on);
  await reads(on);
  await lives(on);
  await violations(on);
  await evidence(on);
  await periodic(under);
  return services
    .flatMap(({ methods }) => methods.map(({ localName }) => localName))
    .filter((name) => !called.has(name));
};

/** Returns the clients of a service, which note the names of the called RPCs. */
const recording = (under: OrdersUnderTest, called: Set<string>): OrdersUnderTest => {
  const noting = <Client extends object>(client: Client): Client =>
    new Proxy(client, {
      get: (target, name, receiver) => {
        called.add(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
  return {
    ...under,
    orders: noting(under.orders),
    locations: noting(under.locations),
    commands: noting(under.commands),
    evidence: noting(under.evidence),
    violations: noting(under.violations),
  };
};

const rejected = (call: Promise<unknown>): Promise<unknown> => call.catch(() => {});

const creations = async ({ orders, locations, commands }: OrdersUnderTest): Promise<void> => {
  await orders.getStatus({});
  const request = anOrder({ externalId: 'E-1', ...keyed('K-1') });
  const { organizationId } = request;
  await orders.createOrder(request);
  await orders.createOrder(request);
  await rejected(orders.createOrder({ ...request, ...keyed('K-2') }));
  await Promise.all(
    [1, 2, 3].map((n) =>
      orders.createOrder({ ...request, externalId: `B-${n}`, ...keyed(`B-${n}`) }),
    ),
  );
  await orders.createOrder(anOrder({ organizationId, goodsTypes: Array(101).fill('blood') }));
  const location = { organizationId, label: 'L', ...charite };
  const saved = bodyOf(
    await locations.createLocation({
      ...location,
      idempotencyKey: 'L-1',
      bodySha256: Buffer.alloc(32),
    }),
  );
  await locations.createLocation({ ...location, street: 'Other 1' });
  await locations.listLocations({ organizationId });
  const draft = {
    organizationId,
    pickup: { place: { case: 'locationId' as const, value: saved.id } },
    autoDispatch: false,
  };
  const drafts: string[] = [];
  for (let n = 0; n < 3; n++) drafts.push(bodyOf(await orders.createOrder(anOrder(draft))).id);
  await orders.submitOrder({ organizationId, id: drafts[0]! });
  await orders.cancelOrder({ organizationId, id: drafts[1]!, reason: 'r' });
  await commands.submitOrder({ circumstances: { orderId: drafts[2]! } });
};

const reads = async ({ orders, commands }: OrdersUnderTest): Promise<void> => {
  const request = anOrder({ externalId: 'E-2' });
  const { organizationId } = request;
  const { id } = bodyOf(await orders.createOrder(request));
  for (let n = 0; n < 3; n++) await orders.createOrder(anOrder({ organizationId }));
  await Promise.all([1, 2].map(() => orders.getOrder({ organizationId, id })));
  const heavy = bodyOf(
    await orders.createOrder(anOrder({ organizationId, goodsTypes: Array(101).fill('blood') })),
  );
  await orders.getOrder({ organizationId, id: heavy.id });
  await orders.getSequence({ organizationId, id });
  const updatedSince = '2026-01-01T00:00:00.000Z';
  for (const filters of [
    {},
    { status: 'SUBMITTED' },
    { externalId: 'E-2' },
    { updatedSince },
    { updatedSince, status: 'SUBMITTED' },
    { updatedSince, externalId: 'E-2' },
    { status: 'SUBMITTED', externalId: 'E-2' },
  ]) {
    const page = await orders.listOrders({ organizationId, limit: 2, ...filters });
    if (page.nextCursor !== undefined)
      await orders.listOrders({ organizationId, limit: 2, ...filters, cursor: page.nextCursor });
  }
  await commands.showOrder({ orderId: id });
  await commands.findOrders({ externalId: 'E-2' });
  await commands.listOrganizationOrders({ organizationId });
  for (const search of [
    {},
    { statuses: ['SUBMITTED'], afterId: id },
    { organizationId },
    { text: id },
    { text: 'E-2' },
    { text: 'E-2', organizationId },
  ])
    await commands.searchOrders(search);
};

const readings = {
  content: Buffer.from('time,value\n2026-01-15T08:00:00Z,40\n'),
  mediaType: 'text/csv',
  deviceId: 'LOG-7',
  unit: 'celsius',
};
const sha256 = createHash('sha256').update(readings.content).digest('hex');

const lives = async (under: OrdersUnderTest): Promise<void> => {
  const { orders, commands } = under;
  const declined = await anOrderThat(under, 'SUBMITTED', { temperatureMin: 2, temperatureMax: 8 });
  await commands.assignOrder({ ...declined, transportOrganization: 'T' });
  await commands.declineAssignment(declined);
  await commands.cancelOrder({ ...declined, reason: 'r' });
  const order = await anOrderThat(under, 'SEALED', { temperatureMin: 2, temperatureMax: 8 });
  const { organizationId, orderId } = order;
  const named = () => ({ circumstances: { orderId, commandId: randomUUID() } });
  const update = { ...named(), priceTotal: '1.50', notes: 'n' };
  await commands.updateOrder(update);
  await commands.updateOrder(update);
  await commands.reportIncident({ ...named(), note: 'n' });
  await commands.escalateOrder({ ...named(), note: 'n' });
  const artifact = { content: pngPicture(1), mediaType: 'image/png' };
  await commands.recordHandover({ ...named(), ...aHandover({ methods: ['photo'], artifact }) });
  await orders.recordCondition({
    organizationId,
    orderId,
    readings,
    idempotency: keyed('C-1').idempotency,
  });
  const other = { ...readings, content: Buffer.from('time,value\n2026-01-15T08:00:00Z,4\n') };
  await commands.recordCondition({ ...named(), readings: other });
  await orders.getArtifact({ organizationId, orderId, sha256 });
  await commands.exportArtifact({ orderId, sha256 });
  await commands.startTransport(named());
  await commands.deliverOrder(named());
  await commands.closeOrder(named());
  await commands.erasePersonalData({ ...named(), fields: ['driver'], reason: 'r' });
  await commands.erasePersonalData({ ...named(), fields: [], reason: 'r' });
  await until(async () => (await under.storedFiles(orderId)).length === 2, {
    what: 'the erasure of the photo, beside the two files with readings',
  });
  const released = await anOrderThat(under, 'SUBMITTED');
  await commands.assignOrder({ ...released, transportOrganization: 'T' });
  await commands.acceptOrder(released);
  await commands.assignDriver({ ...released, driver: 'D' });
  await commands.releaseDriver(released);
};

const violations = async (under: OrdersUnderTest): Promise<void> => {
  const { orderId } = await anOrderThat(under, 'SUBMITTED');
  const { violations } = under;
  const found = [
    { orderId, entryId: 'e', reason: 'one' },
    { orderId, entryId: 'f', reason: 'two' },
    { orderId: randomUUID(), entryId: 'g', reason: 'an order that nobody has created' },
    { orderId: '', entryId: '', reason: 'the log has lost a leaf' },
  ];
  const completed = { kind: AuditKind.FULL, violations: found.length };
  const { unnotified } = await violations.recordViolations({ found, completed });
  const ids = unnotified.map(({ id }) => id);
  await violations.recordViolations({ found, notifiedIds: ids, resolvedIds: [ids[1]!] });
  for (const state of [ViolationState.OPEN, ViolationState.RESOLVED, ViolationState.UNSPECIFIED])
    await violations.listViolations({ state });
  await violations.listViolations({ orderId, pageSize: 1, pageToken: ids[0]! });
  await violations.acknowledgeViolations({ orderId, reason: 'r' });
  await violations.acknowledgeViolations({ id: ids[3]!, reason: 'r' });
  await violations.listViolations({ state: ViolationState.ACKNOWLEDGED });
};

const evidence = async (under: OrdersUnderTest): Promise<void> => {
  const order = await anOrderThat(under, 'IN_TRANSIT');
  const { settings } = readConfig(busSettings, { BUS_DATABASE_URL: under.bus.serviceUrl });
  const bus = await openBus(settings, createTelemetry({ service: 'test', write: () => {} }));
  try {
    await reportErasure(bus, order);
  } finally {
    await until(
      async () => {
        const { heads } = await under.evidence.listHeads({ orderIds: [order.orderId] });
        return heads[0]!.custodySequence === 7;
      },
      { what: 'the report of custody' },
    ).finally(() => bus.close());
  }
  const { heads } = await under.evidence.listHeads({ pageSize: 1 });
  await under.evidence.listHeads({ afterOrderId: heads[0]!.orderId });
  const { nextPageToken } = await under.evidence.listUnreportedEvents({ pageSize: 1 });
  await under.evidence.listUnreportedEvents({ pageToken: nextPageToken });
};

/** Reports an entry as custody does: it names an erased field. */
const reportErasure = (
  bus: Bus,
  { organizationId, orderId }: { organizationId: string; orderId: string },
): Promise<unknown> => {
  const sequence = 7;
  const event = {
    ...{ id: uuidv7(), organizationId, orderId, sequence, type: 'order.updated' },
    internalType: 'PERSONAL_DATA_ERASED',
    payloadJson: '{"erased":{"driver":[4]}}',
  };
  const message = create(CustodyEventSchema, { event, sequence, eventHash: 'a'.repeat(64) });
  const keys = messageKeys('ORDERS_CUSTODY_KEYS').parse(ordersCustodyKeys);
  const value = toBinary(CustodyEventSchema, message);
  const { id, type } = event;
  const topic = custodyEventsTopic;
  return bus.publish([
    messageSigner('custody', { orders: keys })({ topic, key: orderId, id, type, value }),
  ]);
};

/** Lets a second replica erase the personal data of an order whose last event is old. */
const periodic = async (under: OrdersUnderTest): Promise<void> => {
  const { organizationId, orderId, circumstances } = await anOrderThat(under, 'IN_TRANSIT');
  await under.commands.deliverOrder({ circumstances });
  await under.commands.closeOrder({ circumstances });
  await asOwner(under.database, (owner) =>
    owner.query("update orders set last_event_at = '2026-01-01T00:00:00Z' where id = $1", [
      orderId,
    ]),
  );
  const replica = await startOrdersService({
    database: under.database,
    bus: under.bus,
    environment: { CUSTODY_PERSONAL_RETENTION: '30d', ORDERS_IDEMPOTENCY_KEEP: '1s' },
  });
  try {
    await until(
      async () => {
        const { disclosures } = await under.orders.getSequence({ organizationId, id: orderId });
        return disclosures.length === 0;
      },
      { what: 'the erasure by the retention' },
    );
    await replica.metrics();
  } finally {
    await replica.stop();
  }
};
