import { create, type DescService, toBinary } from '@bufbuild/protobuf';
import { type Bus, busSettings, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { CustodyEvidenceService, OrderCommandService } from '@pto/proto/orders/v1/commands';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { custodyEventsTopic } from '@pto/proto/topics';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { anOrderThat } from '../changes/an-order-in-transit.ts';
import {
  asOwner,
  type OrdersUnderTest,
  ordersCustodyKeys,
  startOrdersService,
} from '../orders-service.ts';
import { lives, violations } from './operator-operations.ts';
import { creations, reads } from './partner-operations.ts';

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
    ofOperators: noting(under.ofOperators),
    evidence: noting(under.evidence),
    violations: noting(under.violations),
    moves: noting(under.moves),
  };
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
