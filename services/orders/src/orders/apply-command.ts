import { type Database, isoMillis, type Transaction } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import type { Command, CommandMetadata } from '../domain/command.ts';
import { decide } from '../domain/decide.ts';
import type { BlockingEvent, OrderChange, OrderState } from '../domain/order.ts';
import type { OrderStatus } from '../domain/order-status.ts';
import { announce } from './announce.ts';
import { changeTime } from './change-time.ts';
import { getOrder, orderNotFound } from './get-order.ts';
import { itemCount } from './items-sql.ts';
import type { StoredOrder } from './order-row.ts';
import { sealItems } from './seal-items.ts';

interface LockedRow {
  readonly organization_id: string;
  readonly external_id: string | null;
  readonly status: OrderStatus;
  readonly sla: string;
  readonly transport_organization: string | null;
  readonly driver: string | null;
  readonly cancel_reason: string | null;
  readonly sequence: number;
  readonly last_event_at: string | null;
  readonly blocking_type: BlockingEvent['type'] | null;
  readonly blocking_at: string | null;
  readonly item_count: number;
}

export const noMetadata: CommandMetadata = { at: null, position: null, payload: null };

/**
 * Applies one command to one order in one transaction: locks the row, decides, changes, announces.
 * Of two concurrent commands the second sees the result of the first.
 * @param organizationId the caller's, or null for an operator, who may change any order.
 * @returns the order afterwards.
 * @throws Failure NOT_FOUND, or a failure of `decide`
 */
export const applyCommand = (
  { db, sign }: { db: Database; sign: Sign },
  target: { orderId: string; organizationId: string | null },
  command: Command,
  metadata: CommandMetadata = noMetadata,
): Promise<StoredOrder> =>
  db.transaction(async (tx) => {
    const { orderId, organizationId } = target;
    const row = await lock(tx, orderId, organizationId);
    const { change, announcement } = decide(toState(row), command, metadata, Date.now());
    if (change) {
      const sequence = row.sequence + (announcement ? 1 : 0);
      const changed = { orderId, organizationId: row.organization_id };
      const updatedAt = await save(tx, changed, change, sequence, announcement?.tsUtc ?? null);
      if (announcement)
        await announce(tx, sign, [
          {
            order: {
              id: orderId,
              organizationId: row.organization_id,
              externalId: row.external_id,
              status: change.status ?? row.status,
              updatedAt,
              sequence,
            },
            announcement,
          },
        ]);
    }
    return getOrder(tx, orderId, organizationId);
  });

const lock = async (
  tx: Transaction,
  orderId: string,
  organizationId: string | null,
): Promise<LockedRow> => {
  const [row] = await tx.query<LockedRow>(
    `select organization_id, external_id, status, sla, transport_organization, driver,
       cancel_reason, sequence, last_event_at, blocking_type, blocking_at,
       ${itemCount} as item_count
     from orders o where id = $1 and ($2::uuid is null or organization_id = $2) for update`,
    [orderId, organizationId],
  );
  if (!row) throw orderNotFound();
  return row;
};

const toState = (row: LockedRow): OrderState => ({
  status: row.status,
  itemCount: row.item_count,
  transportOrganization: row.transport_organization,
  driver: row.driver,
  cancelReason: row.cancel_reason,
  sla: row.sla,
  sequence: row.sequence,
  lastEventAt: row.last_event_at,
  blocking:
    row.blocking_type && row.blocking_at
      ? { type: row.blocking_type, ts_utc: row.blocking_at }
      : null,
});

/** Writes the change. @returns the order's new updated_at, to the millisecond. */
const save = async (
  tx: Transaction,
  { orderId, organizationId }: { orderId: string; organizationId: string },
  change: OrderChange,
  sequence: number,
  eventAt: string | null,
): Promise<string> => {
  const columns: Record<string, unknown> = {
    sequence,
    ...(eventAt !== null && { last_event_at: eventAt }),
    ...(change.status && { status: change.status }),
    ...(change.transportOrganization !== undefined && {
      transport_organization: change.transportOrganization,
    }),
    ...(change.driver !== undefined && { driver: change.driver }),
    ...(change.cancelReason !== undefined && { cancel_reason: change.cancelReason }),
    ...(change.priceTotal !== undefined && { price_total: change.priceTotal }),
    ...(change.notes !== undefined && { notes: change.notes }),
    ...(change.blocking && {
      blocking_type: change.blocking.type,
      blocking_at: change.blocking.ts_utc,
    }),
  };
  const names = Object.keys(columns);
  const [row] = await tx.query<{ updated_at: string }>(
    `with ${changeTime('$2')}
     update orders set ${names.map((name, n) => `${name} = $${n + 3}`).join(', ')},
       updated_at = greatest(updated_at, change.at) -- a clock may be set back
     from change where id = $1 returning updated_at`,
    [orderId, organizationId, ...Object.values(columns)],
  );
  if (change.sealIds) await sealItems(tx, orderId, change.sealIds);
  return isoMillis(row!.updated_at);
};
