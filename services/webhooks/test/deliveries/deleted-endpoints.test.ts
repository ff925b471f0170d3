/** Deliveries outlive their endpoint (decision 80). */
import { expect, test } from '@jest/globals';
import { expireDeleted } from '../../src/deliveries/endpoint-addresses.ts';
import { deliveriesOf, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest();

/** An endpoint with a delivered event, deleted. */
const deleted = async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  const { webhooks } = under.replica;
  const url = `${receiver.url}?token=hidden`;
  await webhooks.updateEndpoint({ organizationId, id, url });
  const [event] = eventsOf(organizationId, 1);
  await under.stores.publish([event!]);
  const [delivery] = await deliveriesOf(under.replica, id, 'DELIVERED');
  await webhooks.deleteEndpoint({ organizationId, id });
  const { host, pathname } = new URL(receiver.url);
  return { id, organizationId, delivery: delivery!, address: host + pathname };
};

test('deliveries of a deleted endpoint are listed with its host and path', async () => {
  const { id, organizationId, delivery, address } = await deleted();
  const { webhooks, deliveries } = under.replica;
  const { orderId } = delivery;
  const shown = { endpointId: id, endpointAddress: address, id: delivery.id, state: 'DELIVERED' };
  const ofPartner = await webhooks.listEndpointDeliveries({
    ...{ organizationId, endpointId: id, limit: 10 },
  });
  const ofOrder = await webhooks.listDeliveriesOfOrder({ organizationId, orderId });
  const one = await webhooks.getEndpointDelivery({
    ...{ organizationId, endpointId: id, id: delivery.id },
  });
  const ofOperator = await deliveries.listDeliveries({ endpointId: id });
  const ofOperatorsOrder = await deliveries.listOrderDeliveries({ organizationId, orderId });
  const operatorsOne = await deliveries.getDelivery({ id: delivery.id });
  for (const lists of [ofPartner, ofOrder, ofOperator, ofOperatorsOrder])
    expect(lists.deliveries).toEqual([expect.objectContaining(shown)]);
  for (const found of [one.delivery, operatorsOne.delivery]) {
    expect(found).toMatchObject(shown);
    expect(Date.parse(found!.endpointDeletedAt)).toBeGreaterThan(0);
  }
});

test('the secret, the query and the endpoint itself are gone at once', async () => {
  const { id, organizationId, delivery } = await deleted();
  const { webhooks } = under.replica;
  const { superuser } = under.stores;
  for (const table of ['endpoints', 'endpoint_secrets', 'endpoint_sequences'])
    expect(
      await superuser.query(
        `select from ${table} where ${table === 'endpoints' ? 'id' : 'endpoint_id'} = $1`,
        [id],
      ),
    ).toEqual([]);
  const stays = await superuser.query('select * from deleted_endpoints where id = $1', [id]);
  expect(JSON.stringify(stays)).not.toContain('hidden');
  const key = { organizationId, id };
  await expect(webhooks.getEndpoint(key)).rejects.toThrow('no such webhook endpoint');
  const replay = { organizationId, endpointId: id, id: delivery.id };
  await expect(webhooks.replayEndpointDelivery(replay)).rejects.toThrow('no such webhook endpoint');
});

test('another organization reads nothing of it', async () => {
  const { id, delivery } = await deleted();
  const { webhooks } = under.replica;
  const organizationId = anOrganization();
  const { orderId } = delivery;
  await expect(
    webhooks.listEndpointDeliveries({ organizationId, endpointId: id, limit: 10 }),
  ).rejects.toThrow('no such webhook endpoint');
  const { deliveries } = await webhooks.listDeliveriesOfOrder({ organizationId, orderId });
  expect(deliveries).toEqual([]);
});

test('an existing endpoint has its address and no time of deletion', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  await under.stores.publish(eventsOf(organizationId, 1));
  const [delivery] = await deliveriesOf(under.replica, id, 'DELIVERED');
  const { host, pathname } = new URL(receiver.url);
  expect(delivery).toMatchObject({ endpointAddress: host + pathname, endpointDeletedAt: '' });
});

test('what stays of an endpoint expires with its last deliveries, and not before', async () => {
  const { id } = await deleted();
  const { superuser } = under.stores;
  const stored = () => superuser.query('select from deleted_endpoints where id = $1', [id]);
  const age = (days: number) =>
    superuser.query(
      'update deleted_endpoints set deleted_at = now() - $2 * interval $$1 day$$ where id = $1',
      [id, days],
    );
  await age(30.9);
  await expireDeleted(superuser, 30);
  expect(await stored()).toHaveLength(1);
  await age(31.1);
  await expireDeleted(superuser, 30);
  expect(await stored()).toEqual([]);
});
