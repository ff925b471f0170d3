import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';

const everyMs = 60_000;
const batchMax = 1000;

/** Removes answers that have been kept long enough, in small batches that wait for nobody. */
export const startIdempotencySweep = (
  db: Database,
  keepMs: number,
  telemetry: Telemetry,
): { stop(): Promise<void> } => {
  let running = Promise.resolve();
  const sweep = async () => {
    for (let removed = batchMax; removed === batchMax; )
      removed = (
        await db.query(
          `delete from idempotency where ctid = any (array(
             select ctid from idempotency where created_at <= now() - $1 * interval '1 ms'
             order by created_at limit ${batchMax} for update skip locked))
           returning 1`,
          [keepMs],
        )
      ).length;
  };
  const timer = setInterval(() => {
    running = sweep().catch((err) => telemetry.log.warn({ err }, 'idempotency sweep failed'));
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
