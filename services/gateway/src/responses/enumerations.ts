import {
  deliveryStates,
  endpointStatuses,
  eventNames,
  orderStatuses,
  slas,
} from '@pto/proto/vocabulary';
import { openEnum } from './shape.ts';

/** The open enumerations that several responses share, each once. */

/** Contract 3.1. */
export const orderStatus = openEnum('OrderStatus', orderStatuses, 'Status of an order.');

/** Contract 2.1. */
export const sla = openEnum('Sla', slas, 'Service level of an order.');

/** Contract 6.1. */
export const eventName = openEnum('EventName', eventNames, 'Name of an event.');

/** Decision 28. */
export const custodyEntryType = openEnum(
  'CustodyEntryType',
  eventNames.filter((name) => name !== 'order.test'),
  'Type of a custody entry.',
);

/** Contract 3.2. */
export const webhookEndpointStatus = openEnum(
  'WebhookEndpointStatus',
  endpointStatuses,
  'Status of a webhook endpoint.',
);

/** Contract 3.3. */
export const deliveryState = openEnum('DeliveryState', deliveryStates, 'State of a delivery.');
