import {
  deliveryStates,
  endpointStatuses,
  eventNames,
  orderStatuses,
  slas,
} from '@pto/proto/vocabulary';
import { openEnum } from '../validation/index.ts';

/** The open enumerations that several responses share. */

/** Status of an order (contract 3.1). */
export const orderStatus = openEnum('OrderStatus', orderStatuses, 'Status of an order.');

/** Service level of an order (contract 2.1). */
export const sla = openEnum('Sla', slas, 'Service level of an order.');

/** Name of an event (contract 6.1). */
export const eventName = openEnum('EventName', eventNames, 'Name of an event.');

/** Type of a custody entry (decision 28). */
export const custodyEntryType = openEnum(
  'CustodyEntryType',
  eventNames.filter((name) => name !== 'order.test'),
  'Type of a custody entry.',
);

/** Status of a webhook endpoint (contract 3.2). */
export const webhookEndpointStatus = openEnum(
  'WebhookEndpointStatus',
  endpointStatuses,
  'Status of a webhook endpoint.',
);

/** State of a delivery (contract 3.3). */
export const deliveryState = openEnum('DeliveryState', deliveryStates, 'State of a delivery.');
