/** Every RPC of the service, the life of deliveries, and its periodic work. */
import { randomUUID } from 'node:crypto';
import type { DescService } from '@bufbuild/protobuf';
import { uuidv7 } from '@pto/database';
import { DeliveryService, WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { until } from '@pto/testing';
import { deliveriesOf, type TestEndpoint, type UnderTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

/** The services whose every RPC is called; dead letters have the bus's own tables alone. */
const services: readonly DescService[] = [WebhookService, DeliveryService];

/** Calls every RPC, lets every event and every periodic work happen. @returns the RPCs not called. */
export const everyOperation = async (under: UnderTest): Promise<string[]> => {
  const called = new Set<string>();
  const replica = {
    ...under.replica,
    webhooks: noting(under.replica.webhooks, called),
    deliveries: noting(under.replica.deliveries, called),
  };
  const on: UnderTest = {
    stores: under.stores,
    authority: under.authority,
    replicas: [replica],
    replica,
    endpoint: under.endpoint,
    receiver: under.receiver,
  };
  await creations(on);
  await changes(on);
  await reads(on);
  await failures(on);
  await rehearsals(on);
  await operators(on);
  await quarantine(on);
  return services
    .flatMap(({ methods }) => methods.map(({ localName }) => localName))
    .filter((name) => !called.has(name));
};

const noting = <Rpc extends object>(client: Rpc, called: Set<string>): Rpc =>
  new Proxy(client, {
    get: (target, name, receiver) => {
      called.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });

const creations = async ({ replica: { webhooks }, receiver, stores }: UnderTest): Promise<void> => {
  await webhooks.getStatus({});
  await webhooks.getConnectivity({});
  const organizationId = anOrganization();
  const { url } = await receiver();
  const request = { organizationId, url, idempotencyKey: 'k', bodySha256: Buffer.alloc(32) };
  await webhooks.createEndpoint(request);
  await webhooks.createEndpoint(request);
  await stores.superuser.query(
    `update endpoint_creations set response = null, finish_by = now() - interval '1 s'
     where organization_id = $1`,
    [organizationId],
  );
  await webhooks.createEndpoint(request);
  await webhooks.listEndpoints({ organizationId });
};

const changes = async ({ replica: { webhooks }, ...under }: UnderTest): Promise<void> => {
  const { organizationId, id } = await under.endpoint();
  const { url } = await under.receiver();
  await webhooks.getEndpoint({ organizationId, id });
  await webhooks.updateEndpoint({
    ...{ organizationId, id, url, setEventFilter: true },
    eventFilter: { events: ['order.sealed'] },
  });
  await webhooks.updateEndpoint({ organizationId, id, disabled: true });
  await webhooks.updateEndpoint({ organizationId, id, disabled: false });
  await webhooks.verifyEndpoint({ organizationId, id });
  await webhooks.testEndpoint({ organizationId, id });
  await webhooks.rotateSecret({ organizationId, endpointId: id, overlapSeconds: 60 });
  await webhooks.deleteEndpoint({ organizationId, id });
  const unverified = await under.endpoint();
  await under.stores.superuser.query(
    `update endpoints set status = 'PENDING_VERIFICATION', verify_by = now() where id = $1`,
    [unverified.id],
  );
  await until(
    async () =>
      (
        await under.stores.superuser.query(
          'select from endpoints where id = $1 and generation_reason = $2',
          [unverified.id, 'unverified'],
        )
      ).length > 0,
    { what: 'the sweep of the unverified endpoint' },
  );
};

/** Publishes events of an endpoint's organization, and waits until they are delivered. */
const delivered = async (
  { replica, stores }: UnderTest,
  { organizationId, id }: TestEndpoint,
  count: number,
) => {
  await stores.publish(eventsOf(organizationId, count));
  return deliveriesOf(replica, id, 'DELIVERED', count);
};

const since = '2026-01-01T00:00:00.000Z';

const reads = async (under: UnderTest): Promise<void> => {
  const { webhooks } = under.replica;
  const endpoint = await under.endpoint();
  const { organizationId, id: endpointId } = endpoint;
  const [first] = await delivered(under, endpoint, 2);
  const { id, orderId, event } = first!;
  for (const filter of [
    {},
    { event },
    { orderId },
    { event, orderId },
    ...['PENDING', 'DELIVERED', 'EXHAUSTED'].map((state) => ({ state })),
    { beforeId: id },
  ])
    await webhooks.listEndpointDeliveries({ organizationId, endpointId, limit: 1, ...filter });
  await webhooks.getEndpointDelivery({ organizationId, endpointId, id });
  await webhooks.replayEndpointDelivery({ organizationId, endpointId, id });
  await webhooks.recoverEndpoint({ organizationId, endpointId, since });
};

/** Makes an endpoint warn, become BROKEN and work again; its missed events are recovered. */
const failures = async (under: UnderTest): Promise<void> => {
  const { webhooks } = under.replica;
  const { organizationId, id, receiver } = await under.endpoint({ answer: 500 });
  const status = async () => (await webhooks.getEndpoint({ organizationId, id })).endpoint!.status;
  await under.stores.publish([...eventsOf(organizationId, 4), ...eventsOf(organizationId, 4)]);
  await until(async () => (await status()) === 'BROKEN', { what: 'BROKEN' });
  await deliveriesOf(under.replica, id, 'EXHAUSTED', 8);
  await until(
    async () => (await under.stores.superuser.query('select from warnings')).length === 0,
    { what: 'the warnings to be sent' },
  );
  receiver.answer = 204;
  await webhooks.verifyEndpoint({ organizationId, id });
  await webhooks.recoverEndpoint({ organizationId, endpointId: id, since });
  await deliveriesOf(under.replica, id, 'DELIVERED', 8);
};

const rehearsals = async (under: UnderTest): Promise<void> => {
  const { webhooks } = under.replica;
  const endpoint = await under.endpoint();
  const { organizationId, id: endpointId } = endpoint;
  const wanted = { organizationId, endpointId, speed: 60, forMs: 3_600_000 };
  await webhooks.setRehearsal({ ...wanted, faults: ['duplicate', 'late', 'reorder'] });
  await webhooks.getRehearsal({ organizationId, endpointId });
  for (const from of [1, 2]) await under.stores.publish(eventsOf(organizationId, 1, { from }));
  await deliveriesOf(under.replica, endpointId, 'DELIVERED', 2);
};

const operators = async (under: UnderTest): Promise<void> => {
  const { deliveries } = under.replica;
  const endpoint = await under.endpoint();
  const { organizationId, id: endpointId } = endpoint;
  const [first] = await delivered(under, endpoint, 1);
  const { id, orderId } = first!;
  await deliveries.listOrganizationEndpoints({ organizationId });
  await deliveries.showEndpoint({ id: endpointId });
  await deliveries.listDeliveries({ endpointId });
  await deliveries.listOrderDeliveries({ organizationId, orderId });
  await deliveries.getDelivery({ id });
  await deliveries.getDeliveryBody({ id });
  await deliveries.sendTest({ id: endpointId });
  await deliveries.repeatHandshake({ id: endpointId });
  for (const disabled of [true, false])
    await deliveries.setEndpointDisabled({ id: endpointId, disabled });
  await deliveries.rotateEndpointSecret({ id: endpointId });
  await deliveries.recoverDeliveries({ id: endpointId, since });
  const commandId = randomUUID();
  for (let n = 0; n < 2; n++) await deliveries.replayDelivery({ id, commandId });
  await deliveries.resealSecrets({});
};

/** Lets the database reject a delivery until it has been tried again. */
const quarantine = async (under: UnderTest): Promise<void> => {
  const { superuser } = under.stores;
  const { organizationId, id } = await under.endpoint();
  const orderId = uuidv7();
  await superuser.query(`create function reject_marked() returns trigger language plpgsql as $$
    begin
      if new.order_id = '${orderId}' then raise exception 'marked'; end if;
      return new;
    end $$`);
  await superuser.query(`create trigger reject_marked before insert on deliveries
    for each row execute function reject_marked()`);
  await under.stores.publish(eventsOf(organizationId, 2, { orderId }));
  await until(
    async () =>
      (await superuser.query('select from quarantined_deliveries where tries > 0')).length > 0,
    { what: 'a second try' },
  );
  await superuser.query('drop trigger reject_marked on deliveries');
  await superuser.query('update quarantined_deliveries set next_try_at = now()');
  await deliveriesOf(under.replica, id, 'DELIVERED', 2);
};
