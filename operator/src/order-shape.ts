import type { Order } from '@pto/proto/orders/v1/orders';
import { type Violation, ViolationSchema, ViolationState } from '@pto/proto/orders/v1/violations';
import { orderJson } from '@pto/representation';
import { members } from './output.ts';

/** Returns an order as partners see it, with the members that only operators see. */
export const orderShape = (order: Order | undefined) =>
  order === undefined
    ? {}
    : {
        ...orderJson(order),
        organization_id: order.organizationId,
        transport_organization: order.transportOrganization ?? null,
        carrier_id: order.carrierId ?? null,
        driver: order.driver ?? null,
        driver_id: order.driverId ?? null,
        sequence: order.sequence,
        custody_fault: order.custodyFault ?? null,
        locked_codes: order.lockedCodes,
      };

/** Returns an integrity violation as the command line prints it. */
export const violationShape = (violation: Violation) => ({
  ...members(ViolationSchema, violation),
  state: (ViolationState[violation.state] ?? '').toLowerCase(),
  acknowledged_at: violation.acknowledgment?.at ?? null,
  acknowledged_by: violation.acknowledgment?.operator ?? null,
  acknowledgment: violation.acknowledgment?.reason ?? null,
});
