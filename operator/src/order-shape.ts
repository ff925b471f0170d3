import type { Order } from '@pto/proto/orders/v1/orders';
import { orderJson } from '@pto/representation';

/** An order as partners see it, and what only the operator knows. */
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

/** For a line in a table. */
export const orderLine = (order: Order) => ({
  id: order.id,
  external_id: order.externalId ?? null,
  status: order.status,
  sla: order.sla,
  created_at: order.createdAt,
  updated_at: order.updatedAt,
});
