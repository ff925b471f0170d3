import { Http } from '../../typescript/src/http/http.ts';
import { path } from '../../typescript/src/http/operation.ts';
import type { Order } from '../../typescript/src/index.ts';
import { type Credential, clientOptions } from './credential.ts';

/** Statuses to which the sandbox advances an order, in their order (contract 3.1). */
export const advancedStatuses = [
  'ASSIGNED',
  'ACCEPTED',
  'DRIVER_ASSIGNED',
  'PICKUP_STARTED',
  'SEALED',
  'IN_TRANSIT',
  'DELIVERED',
  'CLOSED',
] as const;

/**
 * Advances an order of a test key to a status: `POST /sandbox/orders/{id}/advance`. It is sent once:
 * after a lost response, read the order.
 */
export const advance = (credential: Credential, id: string, to: string): Promise<Order> =>
  new Http(clientOptions(credential)).json({
    method: 'POST',
    path: path`/sandbox/orders/${id}/advance`,
    body: { to },
    repeatable: false,
  });
