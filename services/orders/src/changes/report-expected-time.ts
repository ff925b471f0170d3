import { type Database, execute, fragment } from '@pto/database';
import { Failure } from '@pto/errors';
import { isHeld, isNotHeld } from '@pto/moves';
import { nextStopOf, type StopName, underWay } from '@pto/proto/order-commands';
import type { Telemetry } from '@pto/telemetry';
import { startWorker, type Worker } from '@pto/worker';
import type { CommandMetadata, OrderStatus, Position } from '../domain/order.ts';
import { handlingMs, isPoint, toMinute } from '../expected-times/expected-times.ts';
import type { Travel } from '../expected-times/router.ts';
import { getOrder, type OrderKey } from '../reading/get-order.ts';
import type { StoredOrder } from '../reading/stored-order.ts';
import { tables } from '../schema/tables.ts';
import type { CommandDeps } from './apply-command.ts';
import { requireOwn } from './driver-orders.ts';
import { applyCommand } from './run-command.ts';

type Deps = CommandDeps & { readonly db: Database; readonly travel: Travel };

/**
 * Stores when a driver expects to be at the next stop (decision 87). The routing engine is called
 * before the transaction.
 * @param told the driver's word, or the driver's position: it is not stored, and changes nothing
 *   if the stop has no coordinates.
 * @param driverId whose order it must be; null: an office reports.
 * @throws Failure NOT_FOUND for another driver's order; ILLEGAL_TRANSITION for an order that is not
 *   under way, or has another next stop
 */
export const reportExpectedTime = async (
  deps: Deps,
  target: OrderKey,
  told: { readonly stop: StopName; readonly at: string } | Position,
  driverId: string | null,
  metadata: CommandMetadata,
  signal: AbortSignal,
): Promise<StoredOrder> => {
  const stored = await getOrder({ ...deps, sql: deps.db }, target);
  const { order, pickup, dropoff } = stored;
  requireOwn(order.driverId ?? null, driverId);
  const status = order.status as OrderStatus;
  if (!(underWay as readonly string[]).includes(status))
    throw new Failure('ILLEGAL_TRANSITION', `The order is ${status}; it is not under way.`, {
      details: { status },
    });
  const stop = nextStopOf(status)!;
  const [from, to] = [pickup.location, dropoff.location];
  const there = stop === 'pickup' ? from : to;
  const position = 'at' in told ? null : told;
  if (position && !isPoint(there)) return stored;
  const now = Date.now();
  const [leg, trip] = await Promise.all([
    stop === 'pickup' && isPoint(from) && isPoint(to) && deps.travel(from, to, now, signal),
    position && isPoint(there) && deps.travel({ ...there, ...position }, there, now, signal),
  ]);
  const reported = trip
    ? { stop, at: toMinute(now + trip.seconds * 1000 + handlingMs(status)), source: trip.source }
    : { ...(told as { stop: StopName; at: string }), source: 'driver' as const };
  const report = {
    ...reported,
    ...(leg && leg.source === 'router' && { leg: leg.seconds }),
    known: (stop === 'pickup' ? order.pickupEta : order.dropoffEta) ?? null,
  };
  return applyCommand(deps, target, { name: 'expect', driverId, report }, metadata);
};

const [everyMs, batch] = [30_000, 100];

/**
 * Announces expected times that moved within 5 min after the last announcement: every 30 s. Several
 * replicas may do so at once, since the order's row is locked and judged again.
 */
export const startDueAnnouncements = (
  deps: CommandDeps & { readonly db: Database; readonly wake: () => void },
  telemetry: Telemetry,
): Worker =>
  startWorker({
    tick: async (signal) => {
      const due = await execute(deps.db, selectDue());
      for (const { organization_id: organizationId, id: orderId } of due) {
        if (signal.aborted) break;
        const again = { name: 'expect', driverId: null, report: null } as const;
        await applyCommand(deps, { organizationId, orderId }, again).catch(unlessPassed);
        deps.wake();
      }
      return due.length === batch ? 0 : everyMs;
    },
    failed: (err, failures) => {
      telemetry.log.error({ err, failures }, 'moved expected times were not announced');
      return everyMs;
    },
  });

/** Ignores that the organization is held, or the order no longer under way, since it was selected. */
const unlessPassed = (error: unknown): void => {
  const isPassed = error instanceof Failure && error.kind === 'ILLEGAL_TRANSITION';
  if (!isHeld(error) && !isPassed) throw error;
};

const selectDue = () =>
  tables
    .selectFrom('orders as o')
    .select(['o.organization_id', 'o.id'])
    .where('o.expected_due_at', '<=', fragment<string>`statement_timestamp()`)
    .where(isNotHeld('o.organization_id'))
    .orderBy('o.expected_due_at')
    .limit(batch);
