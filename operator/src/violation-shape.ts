import { type Violation, ViolationState } from '@pto/proto/orders/v1/violations';
import { orNull } from './output.ts';

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
