import { execute, fragment } from '@pto/database';
import { isNotHeld } from '@pto/moves';
import type { Telemetry } from '@pto/telemetry';
import { startWorker, type Worker } from '@pto/worker';
import { tables } from '../schema/tables.ts';
import type { ArtifactDeps } from './artifacts.ts';

const everyMs = 60_000;
const batch = 50;

/**
 * Erases the files whose retention has ended, and then their rows: at the start, every minute, and
 * when it is woken. Several replicas may do so at once, since an erasure can be repeated. An
 * expired row is never renewed. Files of an organization that is held stay: the cell that it moves
 * to has their rows, too, and erases them there. Nobody is served an expired file meanwhile.
 */
export const startArtifactExpiry = (
  { db, artifacts }: Pick<ArtifactDeps, 'db' | 'artifacts'>,
  telemetry: Telemetry,
): Worker =>
  startWorker({
    tick: async (signal) => {
      const due = await execute(db, selectDue());
      for (const { organization_id: organizationId, order_id: orderId, sha256 } of due) {
        if (signal.aborted) break;
        await artifacts.erase({ orderId, sha256 });
        const deletion = tables
          .deleteFrom('artifacts')
          .where('organization_id', '=', organizationId)
          .where('order_id', '=', orderId)
          .where('sha256', '=', sha256);
        await execute(db, deletion);
      }
      return due.length === batch ? 0 : everyMs;
    },
    failed: (err, failures) => {
      telemetry.log.error({ err, failures }, 'expired artifacts were not erased');
      return everyMs;
    },
  });

const selectDue = () =>
  tables
    .selectFrom('artifacts')
    .select(['organization_id', 'order_id', 'sha256'])
    .where('expires_at', '<=', fragment<string>`statement_timestamp()`)
    .where(isNotHeld('artifacts.organization_id'))
    .orderBy('expires_at')
    .limit(batch);
