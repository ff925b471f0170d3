import { type Database, execute, fragment } from '@pto/database';
import { isHeld, isNotHeld } from '@pto/moves';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { noMetadata } from '../domain/decide.ts';
import { tables } from '../schema/tables.ts';
import type { CommandDeps } from './apply-command.ts';
import { erasePersonalData } from './erase-personal-data.ts';

const everyMs = 3_600_000;
const retryMs = 60_000;
const batch = 100;

/**
 * Erases the personal data of orders whose last event is older than `keepMs`, of CLOSED and
 * CANCELLED orders alone (decision 70): at the start and every hour. Several replicas may do so at
 * once, since an erasure has no further effect when it is repeated. Orders of an organization that is
 * held are erased by the cell that serves the organization after the move.
 */
export const startPersonalRetention = (
  deps: CommandDeps & { readonly db: Database; readonly wake: () => void },
  keepMs: number,
  telemetry: Telemetry,
): { stop(): Promise<void> } =>
  startWorker({
    tick: async (signal) => {
      const due = await execute(deps.db, selectDue(keepMs));
      for (const { organization_id: organizationId, id: orderId } of due) {
        if (signal.aborted) break;
        const order = { organizationId, orderId };
        await erasePersonalData(deps, order, [], noMetadata, null).catch(unlessHeld);
        deps.wake();
      }
      return due.length === batch ? 0 : everyMs;
    },
    failed: (err, failures) => {
      telemetry.log.error({ err, failures }, 'personal data of old orders was not erased');
      return retryMs;
    },
  });

/** Ignores that the organization is held since the order was selected. */
const unlessHeld = (error: unknown): void => {
  if (!isHeld(error)) throw error;
};

/**
 * Selects the oldest orders that are due: a table scan, of the values and files that are not erased
 * yet.
 */
const selectDue = (keepMs: number) =>
  tables
    .selectFrom((personal) =>
      personal
        .selectFrom('disclosures')
        .select(['organization_id', 'order_id'])
        .union(
          personal
            .selectFrom('artifacts')
            .select(['organization_id', 'order_id'])
            .where('personal', '=', true)
            .where('expires_at', '>', fragment<string>`clock_timestamp()`),
        )
        .as('d'),
    )
    .innerJoin('orders as o', (join) =>
      join.onRef('o.organization_id', '=', 'd.organization_id').onRef('o.id', '=', 'd.order_id'),
    )
    .select(['o.organization_id', 'o.id'])
    .where('o.status', 'in', ['CLOSED', 'CANCELLED'])
    .where(
      fragment<boolean>`o.last_event_at::timestamptz
        < clock_timestamp() - ${keepMs}::float8 * interval '1 millisecond'`,
    )
    .where(isNotHeld('o.organization_id'))
    .orderBy('o.id')
    .limit(batch);
