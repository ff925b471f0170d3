/**
 * Stores for each witness how far it has cosigned, which replica submits to it, and its
 * cosignatures.
 */
import { clockTimestamp, type Database, execute, fragment, type Sql } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';

/** Duration of a lease in ms, longer than one submission with its repetitions. */
const leaseMs = 30_000;

const anchoredSize = tables.selectFrom('log_state').select('anchored_size');
const witnessOf = (vkey: string) => tables.updateTable('log_witnesses').where('vkey', '=', vkey);

export const addWitnesses = async (sql: Sql, vkeys: readonly string[]): Promise<void> => {
  await execute(
    sql,
    tables
      .insertInto('log_witnesses')
      .values(vkeys.map((vkey) => ({ vkey })))
      .onConflict((conflict) => conflict.doNothing()),
  );
};

/**
 * Leases a witness to one replica if a submission is due: the newest anchored checkpoint is not
 * cosigned, the pause after the last failure has ended, and no other replica holds the lease.
 * @param lease id of the replica's loop for this witness.
 * @returns whether the lease was acquired.
 */
export const leaseWitness = async (sql: Sql, vkey: string, lease: string): Promise<boolean> => {
  const rows = await execute(
    sql,
    witnessOf(vkey)
      .set({
        lease,
        leased_until: fragment<string>`clock_timestamp() + ${leaseMs} * interval '1 ms'`,
      })
      .where('due_at', '<=', clockTimestamp)
      .where(({ eb, or }) => or([eb('lease', '=', lease), eb('leased_until', '<', clockTimestamp)]))
      .where('cosigned_size', '<', anchoredSize)
      .returning('vkey'),
  );
  return rows.length > 0;
};

/** Ends the lease, so that any replica can submit the next checkpoint. */
export const releaseWitness = async (sql: Sql, vkey: string, lease: string): Promise<void> => {
  await execute(sql, witnessOf(vkey).set({ leased_until: '-infinity' }).where('lease', '=', lease));
};

/**
 * Returns the newest anchored checkpoint, as the log signed it, and the size `old` that the witness
 * cosigned last, as far as this service knows; null if no checkpoint is anchored.
 */
export const nextSubmission = async (sql: Sql, vkey: string) => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('log_checkpoints')
      .select(['size', 'note'])
      .select(({ selectFrom }) =>
        selectFrom('log_witnesses').select('log_witnesses.size').where('vkey', '=', vkey).as('old'),
      )
      .where('size', '<=', anchoredSize)
      .orderBy('size', 'desc')
      .limit(1),
  );
  return row ? { size: Number(row.size), note: row.note, old: Number(row.old ?? 0) } : null;
};

export const setSize = async (sql: Sql, vkey: string, size: number): Promise<void> => {
  await execute(sql, witnessOf(vkey).set({ size: `${size}` }));
};

/** Stores a verified cosignature. @param time seconds since the epoch. */
export const storeCosignature = (
  db: Database,
  vkey: string,
  { size, line, time }: { size: number; line: string; time: number },
): Promise<void> =>
  db.transaction(async (tx) => {
    await execute(
      tx,
      tables
        .insertInto('log_cosignatures')
        .values({
          size: `${size}`,
          vkey,
          line,
          cosigned_at: fragment<string>`to_timestamp(${time})`,
        })
        .onConflict((conflict) => conflict.doNothing()),
    );
    await execute(
      tx,
      witnessOf(vkey).set(({ fn, ref, cast, val }) => ({
        size: `${size}`,
        cosigned_size: fn<string>('greatest', [ref('cosigned_size'), cast(val(size), 'bigint')]),
        failures: 0,
        due_at: '-infinity',
      })),
    );
  });

/**
 * Records a failure and sets a pause until the next submission. The maximum of the pause is 0.5 s
 * after the first failure and doubles with each consecutive failure up to 60 s. The pause is
 * random, between half of the maximum and the maximum.
 */
export const delayWitness = async (sql: Sql, vkey: string): Promise<void> => {
  await execute(
    sql,
    witnessOf(vkey).set(({ eb, ref }) => ({
      failures: eb('failures', '+', 1),
      due_at: fragment<string>`clock_timestamp() + (0.5 + random() / 2)
        * least(60, 0.5 * 2 ^ least(${ref('failures')}, 10)) * interval '1 second'`,
    })),
  );
};

/**
 * Returns how far each witness is behind, by vkey: the age in seconds of the oldest anchored
 * checkpoint after the last cosigned one; 0 if the newest anchored checkpoint is cosigned.
 */
export const secondsBehind = async (sql: Sql): Promise<Map<string, number>> => {
  const rows = await execute(
    sql,
    tables.selectFrom('log_witnesses as w').select(({ fn, selectFrom, val }) => {
      const oldest = selectFrom('log_checkpoints as c')
        .select(
          fragment<number>`extract(epoch from clock_timestamp() - c.signed_at)::float8`.as('age'),
        )
        .whereRef('c.size', '>', 'w.cosigned_size')
        .where('c.size', '<=', anchoredSize)
        .orderBy('c.size')
        .limit(1);
      return ['w.vkey', fn.coalesce(oldest, val(0)).as('seconds')];
    }),
  );
  return new Map(rows.map(({ vkey, seconds }) => [vkey, seconds]));
};
