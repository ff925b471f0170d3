import type { eventNames } from '@pto/proto/vocabulary';
import { eventCustodyJson, eventJson } from './event.ts';

export type EventName = (typeof eventNames)[number];

/**
 * The meaning of each event (contract 6.1), and the status of the order in its example. The API
 * reference, test requests and the portal's catalog have both from here.
 */
export const eventCatalog: Readonly<Record<EventName, readonly [meaning: string, status: string]>> =
  {
    'order.submitted': ['Order submitted and created in the system', 'submitted'],
    'order.assigned': ['Order assigned to a transport organization', 'assigned'],
    'order.accepted': ['Transport organization accepted the order', 'accepted'],
    'order.driver_assigned': ['A driver was assigned', 'driver_assigned'],
    'order.pickup_started': ['Pickup at the pickup location began', 'pickup_started'],
    'order.sealed': ['Goods sealed and the seal documented', 'sealed'],
    'order.in_transit': ['Transport under way to the drop-off', 'in_transit'],
    'order.delivered': ['Order delivered', 'delivered'],
    'order.closed': ['Order completed', 'closed'],
    'order.cancelled': ['Order cancelled', 'cancelled'],
    'order.updated': ['Order data changed', 'accepted'],
    'order.incident_reported': ['An incident was reported for the order', 'in_transit'],
    'order.escalated': ['The order was escalated', 'in_transit'],
    'order.test': ['Sample event sent by the test operation', 'submitted'],
  };

export const exampleAt = '2026-03-02T08:31:02.000Z';
export const exampleBaseUrl = 'https://api.operator.example/api/partner/v1';
export const exampleHash = '25e375d45d2a5b3ce1ea07556897e45287cb20b6e8423a55daa381f04166ddd7';

/**
 * Returns the body of a test request (decision 43). The signed body marks it: `data.test`, an order id
 * that no order has, the reference `TEST`, and no number in the endpoint's stream.
 * @param now as `Date.toISOString`.
 */
export const testEventJson = (event: EventName, now: string, publicBaseUrl: string) => {
  const order = {
    id: '00000000-0000-4000-8000-000000000000',
    externalId: 'TEST',
    status: eventCatalog[event][1],
    updatedAt: now,
    sequence: 1,
  };
  return eventJson({ event, occurredAt: now, order }, publicBaseUrl, {
    ...(event !== 'order.test' && eventCustodyJson(1, exampleHash)),
    test: true,
  });
};
