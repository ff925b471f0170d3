import { create } from '@bufbuild/protobuf';
import { isoMillis } from '@pto/database';
import { type Violation, ViolationSchema, ViolationState } from '@pto/proto/orders/v1/violations';

export interface ViolationRow {
  readonly id: string;
  readonly order_id: string | null;
  readonly entry_id: string;
  readonly reason: string;
  readonly found_at: string;
  readonly last_found_at: string;
  readonly resolved_at: string | null;
  readonly acknowledged_at: string | null;
  readonly acknowledged_by: string | null;
  readonly acknowledgment: string | null;
}

export const violationColumns = `id, order_id, entry_id, reason, found_at, last_found_at, resolved_at,
  acknowledged_at, acknowledged_by, acknowledgment`;

/** What makes a stored violation be in a state. */
export const conditionOf: Readonly<Record<ViolationState, string>> = {
  [ViolationState.UNSPECIFIED]: 'resolved_at is null',
  [ViolationState.OPEN]: 'resolved_at is null and acknowledged_at is null',
  [ViolationState.ACKNOWLEDGED]: 'resolved_at is null and acknowledged_at is not null',
  [ViolationState.RESOLVED]: 'resolved_at is not null',
};

const stateOf = (row: ViolationRow): ViolationState => {
  if (row.resolved_at !== null) return ViolationState.RESOLVED;
  return row.acknowledged_at === null ? ViolationState.OPEN : ViolationState.ACKNOWLEDGED;
};

export const toViolation = (row: ViolationRow): Violation =>
  create(ViolationSchema, {
    id: row.id,
    state: stateOf(row),
    orderId: row.order_id ?? '',
    entryId: row.entry_id,
    reason: row.reason,
    foundAt: isoMillis(row.found_at),
    lastFoundAt: isoMillis(row.last_found_at),
    ...(row.resolved_at !== null && { resolvedAt: isoMillis(row.resolved_at) }),
    ...(row.acknowledged_at !== null && {
      acknowledgment: {
        at: isoMillis(row.acknowledged_at),
        operator: row.acknowledged_by ?? '',
        reason: row.acknowledgment ?? '',
      },
    }),
  });
