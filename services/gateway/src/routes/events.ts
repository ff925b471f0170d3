import type { Backends } from '../backends.ts';
import { json } from '../http/sending/partner-response.ts';
import { custodyEntry } from '../responses/custody.ts';
import { listOf } from '../responses/shape.ts';
import { entryJson } from './entry-json.ts';
import { route } from './route.ts';
import { orderPath } from './schemas/order-schemas.ts';

/**
 * The operation that lists an order's custody history (contract 4.6). Orders supplies the number of
 * events; custody waits up to 2 s for that many entries, so that a read after a command's response
 * shows the command's entry (decision 32).
 */
export const eventRoutes = ({ orders, custody }: Pick<Backends, 'orders' | 'custody'>) => [
  route({
    name: 'listOrderEvents',
    method: 'GET',
    path: '/orders/:order_id/events',
    scope: 'orders:read',
    schemas: { path: orderPath },
    success: 200,
    response: listOf(custodyEntry),
    summary: "List an order's custody history",
    description:
      'Oldest entry first. The entries form a hash chain that you can recompute. After the response to a command the list contains the entry of that command.',
    handle: async ({ credentials, path, deadline, signal }) => {
      const organizationId = credentials.organization.id;
      const call = { deadline, signal };
      const orderId = path.order_id;
      const { sequence } = await orders.getSequence({ organizationId, id: orderId }, call);
      if (sequence === 0) return json([]);
      const request = { orderId, organizationId, atLeastSequence: sequence };
      const { entries } = await custody.listEvents(request, call);
      return json(entries.map(entryJson));
    },
  }),
];
