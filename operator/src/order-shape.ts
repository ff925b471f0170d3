import type { Order } from '@pto/proto/orders/v1/orders';
import { orderJson } from '@pto/representation';

/** Returns an order as partners see it, with the members that only operators see. */
export const orderShape = (order: Order | undefined) =>
  order === undefined
    ? {}
    : {
        ...orderJson(order),
        organization_id: order.organizationId,
        transport_organization: order.transportOrganization ?? null,
        driver: order.driver ?? null,
        sequence: order.sequence,
        custody_fault: order.custodyFault ?? null,
      };

/** Returns the members of an order that its line in a table shows. */
export const orderLine = (order: Order) => ({
  id: order.id,
  external_id: order.externalId ?? null,
  status: order.status,
  sla: order.sla,
  created_at: order.createdAt,
  updated_at: order.updatedAt,
});
