import type { Order } from '@pto/proto/orders/v1/orders';
import { type Violation, ViolationState } from '@pto/proto/orders/v1/violations';
import { orderJson } from '@pto/representation';
import { orNull } from './output.ts';

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

/** Returns an integrity violation as the command line prints it. */
export const violationShape = (violation: Violation) => ({
  id: violation.id,
  state: (ViolationState[violation.state] ?? '').toLowerCase(),
  order_id: orNull(violation.orderId),
  entry_id: orNull(violation.entryId),
  reason: violation.reason,
  found_at: violation.foundAt,
  last_found_at: violation.lastFoundAt,
  resolved_at: violation.resolvedAt ?? null,
  acknowledged_at: violation.acknowledgment?.at ?? null,
  acknowledged_by: violation.acknowledgment?.operator ?? null,
  acknowledgment: violation.acknowledgment?.reason ?? null,
});
