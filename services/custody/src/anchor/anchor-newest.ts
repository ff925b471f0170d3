import type { Database } from '@pto/database';
import type { Anchor } from './anchor.ts';

interface Pending {
  readonly size: string;
  readonly note: string;
  readonly hourly: boolean;
}

/**
 * Appends the newest signed checkpoint to the anchor and records it as anchored, unless it is
 * recorded already. This includes a checkpoint that a crash or another replica left unanchored. A
 * newest checkpoint that is an hour old becomes an hourly one, because the log may stay unchanged
 * for longer than recent checkpoints are stored. No transaction is open while the anchor is called.
 * Replicas may do this concurrently: the anchor stores a note once.
 */
export const anchorNewest = async (db: Database, anchor: Anchor): Promise<void> => {
  const [pending] = await db.query<Pending>(
    `select c.size, c.note, c.hourly or c.signed_at < clock_timestamp() - interval '1 hour' as hourly
     from log_state s,
       lateral (select * from log_checkpoints order by size desc limit 1) c
     where c.size > s.anchored_size
       or c.size > s.anchored_hourly_size
         and c.signed_at < clock_timestamp() - interval '1 hour'`,
  );
  if (!pending) return;
  await anchor.append(pending.note, pending.hourly);
  await db.query(
    `update log_state set anchored_size = greatest(anchored_size, $1::bigint),
       anchored_hourly_size = greatest(anchored_hourly_size, case when $2::boolean then $1::bigint else 0 end)`,
    [pending.size, pending.hourly],
  );
};
