import type { LocalStack } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';

const word = (length: number): string => 'w'.repeat(length);

/**
 * Makes what lists and pages name, each text one word of the greatest length: an order with its
 * carrier, driver and incident, an endpoint, a key, and an organization.
 */
export const longestTexts = async (
  stack: LocalStack,
): Promise<{ orderId: string; driverId: string }> => {
  const of = partner(stack);
  const { access, carriers, orders } = operatorClients(stack);
  const place = { label: word(120), street: word(255), zip: '10117', city: word(100) };
  const ward = { ...place, country: 'DE', contact_name: word(255) };
  const pickup = { location_id: (await of.post('/locations', ward)).body.id };
  const order = orderBody({ pickup, dropoff: pickup, external_id: word(100), notes: word(1000) });
  const orderId: string = (await of.post('/orders', order)).body.id;
  const unique = word(200 - 13) + Date.now();
  const { carrier } = await carriers.createCarrier({ name: unique, telephone: word(50) });
  const carrierId = carrier!.id;
  const { driver } = await carriers.createDriver({ carrierId, name: unique });
  const circumstances = { orderId };
  await orders.assignOrder({ circumstances, carrierId });
  await orders.acceptOrder({ circumstances });
  await orders.assignDriver({ circumstances, driverId: driver!.id });
  await orders.reportIncident({ circumstances, note: word(500) });
  const organizationId = stack.file().organizations[0]!.id;
  await access.issueKey({ organizationId, scopes: ['orders:read'], name: word(100) });
  await access.createOrganization({ name: word(200) });
  return { orderId, driverId: driver!.id };
};
