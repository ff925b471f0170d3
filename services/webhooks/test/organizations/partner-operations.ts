/** What partners do with endpoints and deliveries: every RPC of the gateway's service. */
import { until } from '@pto/testing';
import { deliveriesOf, type UnderTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';
import { delivered, since } from './deliveries.ts';

export const creations = async ({
  replica: { webhooks },
  receiver,
  stores,
}: UnderTest): Promise<void> => {
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

export const changes = async ({ replica: { webhooks }, ...under }: UnderTest): Promise<void> => {
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

export const reads = async (under: UnderTest): Promise<void> => {
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
  await webhooks.getEndpointMetrics({ organizationId, endpointId });
  await webhooks.getEndpointDelivery({ organizationId, endpointId, id });
  await webhooks.listDeliveriesOfOrder({ organizationId, orderId });
  await webhooks.replayEndpointDelivery({ organizationId, endpointId, id });
  await webhooks.recoverEndpoint({ organizationId, endpointId, since, includePending: true });
};

export const rehearsals = async (under: UnderTest): Promise<void> => {
  const { webhooks } = under.replica;
  const endpoint = await under.endpoint();
  const { organizationId, id: endpointId } = endpoint;
  const wanted = { organizationId, endpointId, speed: 60, forMs: 3_600_000 };
  await webhooks.setRehearsal({ ...wanted, faults: ['duplicate', 'late', 'reorder'] });
  await webhooks.getRehearsal({ organizationId, endpointId });
  for (const from of [1, 2]) await under.stores.publish(eventsOf(organizationId, 1, { from }));
  await deliveriesOf(under.replica, endpointId, 'DELIVERED', 2);
};
