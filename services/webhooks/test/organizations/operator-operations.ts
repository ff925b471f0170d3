/** What operators do: every RPC of their service. */
import { randomUUID } from 'node:crypto';
import type { UnderTest } from '../under-test.ts';
import { delivered, since } from './deliveries.ts';

export const operators = async (under: UnderTest): Promise<void> => {
  const { deliveries } = under.replica;
  const endpoint = await under.endpoint();
  const { organizationId, id: endpointId } = endpoint;
  const [first] = await delivered(under, endpoint, 1);
  const { id, orderId } = first!;
  await deliveries.listOrganizationEndpoints({ organizationId });
  await deliveries.listBreakingEndpoints({});
  await deliveries.listUntoldOrders({});
  await deliveries.showEndpoint({ id: endpointId });
  await deliveries.listDeliveries({ endpointId });
  await deliveries.countDeliveries({ endpointId });
  await deliveries.listOrderDeliveries({ organizationId, orderId });
  await deliveries.getDelivery({ id });
  await deliveries.getDeliveryBody({ id });
  await deliveries.sendTest({ id: endpointId });
  await deliveries.repeatHandshake({ id: endpointId });
  for (const disabled of [true, false])
    await deliveries.setEndpointDisabled({ id: endpointId, disabled });
  await deliveries.rotateEndpointSecret({ id: endpointId });
  await deliveries.recoverDeliveries({ id: endpointId, since });
  await deliveries.recoverDeliveries({ id: endpointId, since, orderId, includePending: true });
  const commandId = randomUUID();
  for (let n = 0; n < 2; n++) await deliveries.replayDelivery({ id, commandId });
  await deliveries.resealSecrets({});
};
