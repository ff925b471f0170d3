import {
  type Database,
  execute,
  fragment,
  type Given,
  isoMillis,
  statement,
  type Transaction,
} from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import type { Command, CommandMetadata } from '../domain/command.ts';
import { decide } from '../domain/decide.ts';
import type { BlockingEvent, OrderChange, OrderState } from '../domain/order.ts';
import type { OrderStatus } from '../domain/order-status.ts';
import type { FindLocations } from '../locations/location-cache.ts';
import { tables } from '../schema/tables.ts';
import { announce } from './announce.ts';
import { changeTime } from './change-time.ts';
import { getOrder, orderNotFound, visibleTo } from './get-order.ts';
import { sealItems } from './seal-items.ts';
import type { StoredOrder } from './stored-order.ts';

export const noMetadata: CommandMetadata = { at: null, position: null, payload: null };

/**
 * Applies one command to one order in one transaction: locks the order's row, calls `decide`,
 * stores the change, and writes the event to the outbox. Of two concurrent commands on an order,
 * the second one sees the result of the first.
 * @param organizationId the caller's organization; null for an operator, who may change any order.
 * @returns the order after the command.
 * @throws Failure NOT_FOUND, or a failure that `decide` throws
 */
export const applyCommand = (
  { db, sign, findLocations }: { db: Database; sign: Sign; findLocations: FindLocations },
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
    return getOrder({ sql: tx, findLocations }, orderId, organizationId);
  });

const selectForUpdate = statement(
  (given: Given<{ orderId: string; organizationId: string | null }>) =>
    tables
      .selectFrom('orders as o')
      .select(['organization_id', 'external_id', 'status', 'sla', 'transport_organization'])
      .select(['driver', 'cancel_reason', 'sequence', 'last_event_at'])
      .select(['blocking_type', 'blocking_at', 'item_count'])
      .where('id', '=', given.orderId)
      .where(visibleTo(given.organizationId))
      .forUpdate(),
);

type LockedRow = Awaited<ReturnType<typeof selectForUpdate>>[number];

const lock = async (
  tx: Transaction,
  orderId: string,
  organizationId: string | null,
): Promise<LockedRow> => {
  const [row] = await selectForUpdate(tx, { orderId, organizationId });
  if (!row) throw orderNotFound();
  return row;
};

const toState = (row: LockedRow): OrderState => ({
  status: row.status as OrderStatus,
  itemCount: row.item_count,
  transportOrganization: row.transport_organization,
  driver: row.driver,
  cancelReason: row.cancel_reason,
  sla: row.sla,
  sequence: row.sequence,
  lastEventAt: row.last_event_at,
  blocking:
    row.blocking_type && row.blocking_at
      ? { type: row.blocking_type as BlockingEvent['type'], ts_utc: row.blocking_at }
      : null,
});

/**
 * Updates the order's row.
 * @returns the order's new `updated_at`, with milliseconds.
 */
const save = async (
  tx: Transaction,
  { orderId, organizationId }: { orderId: string; organizationId: string },
  change: OrderChange,
  sequence: number,
  eventAt: string | null,
): Promise<string> => {
  const columns = {
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
  const update = tables
    .updateTable('orders')
    .from(changeTime(fragment.val(organizationId)))
    .set(columns)
    .set(({ fn, ref }) => ({
      // the database's clock may have been set back: `updated_at` must not become earlier
      updated_at: fn<string>('greatest', [ref('orders.updated_at'), ref('change.at')]),
    }))
    .where('id', '=', orderId)
    .returning('updated_at');
  const [row] = await execute(tx, update);
  if (change.sealIds) await sealItems(tx, orderId, change.sealIds);
  return isoMillis(row!.updated_at);
};
