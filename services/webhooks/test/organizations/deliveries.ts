/** The life of deliveries: successes, failures, BROKEN, warnings, recovery, the quarantine. */
import { uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { deliveriesOf, type TestEndpoint, type UnderTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

/** Publishes events of an endpoint's organization, and waits until they are delivered. */
export const delivered = async (
  { replica, stores }: UnderTest,
  { organizationId, id }: TestEndpoint,
  count: number,
) => {
  await stores.publish(eventsOf(organizationId, count));
  return deliveriesOf(replica, id, 'DELIVERED', count);
};

export const since = '2026-01-01T00:00:00.000Z';

/** Makes an endpoint warn, become BROKEN and work again; its missed events are recovered. */
export const failures = async (under: UnderTest): Promise<void> => {
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

/** Erases the personal data of an order whose event was delivered. */
export const erasure = async (under: UnderTest): Promise<void> => {
  const endpoint = await under.endpoint();
  const { organizationId, id } = endpoint;
  const [{ orderId } = { orderId: '' }] = await delivered(under, endpoint, 1);
  const [event] = eventsOf(organizationId, 1, { orderId, from: 2 });
  event!.event!.internalType = 'PERSONAL_DATA_ERASED';
  await under.stores.publish([event!]);
  await deliveriesOf(under.replica, id, 'DELIVERED', 2);
};

/** Lets the database reject a delivery until it has been tried again. */
export const quarantine = async (under: UnderTest): Promise<void> => {
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
