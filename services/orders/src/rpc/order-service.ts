import type { Database } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { implement } from '@pto/rpc';
import type { Geocoder } from '../geocoding/index.ts';
import { applyCommand } from '../orders/apply-command.ts';
import { createOrder } from '../orders/create-order.ts';
import { getOrder } from '../orders/get-order.ts';
import { listOrders } from '../orders/list-orders.ts';

/** What partners do with orders, through the gateway. */
export const orderService = (deps: {
  db: Database;
  geocoder: Geocoder;
  keepMs: number;
  cursorKey: Buffer;
  /** Of order events. */
  sign: Sign;
  /** Called after something was announced. */
  wake: () => void;
}) => {
  const { db, cursorKey, wake } = deps;
  return implement(OrderService, {
    createOrder: async (request, context) => {
      const answer = await createOrder(deps, request, context);
      wake();
      return answer;
    },
    getOrder: async ({ id, organizationId }) => ({ order: await getOrder(db, id, organizationId) }),
    listOrders: async (request) => {
      const { orders, nextCursor, asOf } = await listOrders(db, cursorKey, request);
      return {
        orders,
        ...(nextCursor !== undefined && { nextCursor }),
        ...(asOf !== undefined && { asOf }),
      };
    },
    cancelOrder: async ({ id, organizationId, reason }) => {
      const target = { orderId: id, organizationId };
      const order = await applyCommand(deps, target, { name: 'cancel', reason });
      wake();
      return { order };
    },
    submitOrder: async ({ id, organizationId }) => {
      const order = await applyCommand(deps, { orderId: id, organizationId }, { name: 'submit' });
      wake();
      return { order };
    },
  });
};
