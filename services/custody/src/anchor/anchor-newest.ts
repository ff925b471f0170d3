import { type Database, fragment, type Given, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import type { Anchor } from './anchor.ts';

const hourAgo = fragment<string>`clock_timestamp() - interval '1 hour'`;

const newestUnanchored = statement(() =>
  tables
    .selectFrom('log_state as s')
    .crossJoinLateral(
      tables
        .selectFrom('log_checkpoints')
        .selectAll()
        .orderBy('size', 'desc')
        .limit(fragment.lit(1))
        .as('c'),
    )
    .select(({ eb, or }) => [
      'c.size',
      'c.note',
      or([eb.ref('c.hourly'), eb('c.signed_at', '<', hourAgo)])
        .$castTo<boolean>()
        .as('hourly'),
    ])
    .where(({ and, eb, or, ref }) =>
      or([
        eb('c.size', '>', ref('s.anchored_size')),
        and([eb('c.size', '>', ref('s.anchored_hourly_size')), eb('c.signed_at', '<', hourAgo)]),
      ]),
    ),
);

const recordAnchored = statement((given: Given<{ size: string; hourly: boolean }>) =>
  tables.updateTable('log_state').set(({ cast, fn, lit, ref }) => {
    const size = cast<string>(given.size, 'bigint');
    const hourlySize = fragment<string>`case when ${given.hourly}::boolean then ${size} else ${lit(0)} end`;
    return {
      anchored_size: fn<string>('greatest', [ref('anchored_size'), size]),
      anchored_hourly_size: fn<string>('greatest', [ref('anchored_hourly_size'), hourlySize]),
    };
  }),
);

/**
 * Appends the newest signed checkpoint to the anchor and records it as anchored. Does nothing if
 * the checkpoint is recorded as anchored already. The checkpoint may be one that a crashed process
 * or another replica signed and did not anchor. If the newest checkpoint is more than an hour old,
 * it is appended again as an hourly one, because the log may stay unchanged for longer than the
 * anchor stores other checkpoints. No transaction is open during calls of the anchor. Replicas may
 * call this function concurrently: the anchor stores equal notes one time.
 */
export const anchorNewest = async (db: Database, anchor: Anchor): Promise<void> => {
  const [pending] = await newestUnanchored(db);
  if (!pending) return;
  await anchor.append(pending.note, pending.hourly);
  await recordAnchored(db, { size: pending.size, hourly: pending.hourly });
};
