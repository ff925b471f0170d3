/** What is stored of witnesses: how far each is, who submits to it, and their cosignatures. */
import type { Database, Sql } from '@pto/database';

/** Longer than one submission with its repetitions takes. */
const leaseMs = 30_000;

export const addWitnesses = async (sql: Sql, vkeys: readonly string[]): Promise<void> => {
  await sql.query(
    'insert into log_witnesses (vkey) select unnest($1::text[]) on conflict do nothing',
    [vkeys],
  );
};

/** A checkpoint to submit. */
export interface Pending {
  readonly size: number;
  /** The note as the log signed it. */
  readonly note: string;
}

/**
 * Leases a witness to one replica if a submission is due: the newest anchored checkpoint is not
 * cosigned, and the time after the last failure is over.
 * @returns whether the lease was acquired.
 */
export const leaseWitness = async (sql: Sql, vkey: string, lease: string): Promise<boolean> => {
  const rows = await sql.query(
    `update log_witnesses
     set lease = $2, leased_until = clock_timestamp() + $3 * interval '1 ms'
     where vkey = $1 and due_at <= clock_timestamp()
       and (lease = $2 or leased_until < clock_timestamp())
       and cosigned_size < (select anchored_size from log_state)
     returning vkey`,
    [vkey, lease, leaseMs],
  );
  return rows.length > 0;
};

/** Ends the lease, so that any replica can submit the next checkpoint. */
export const releaseWitness = async (sql: Sql, vkey: string, lease: string): Promise<void> => {
  await sql.query(
    `update log_witnesses set leased_until = '-infinity' where vkey = $1 and lease = $2`,
    [vkey, lease],
  );
};

/** The newest anchored checkpoint; null before there is one. */
export const newestAnchored = async (sql: Sql): Promise<Pending | null> => {
  const [row] = await sql.query<{ size: string; note: string }>(
    `select size, note from log_checkpoints
     where size <= (select anchored_size from log_state) order by size desc limit 1`,
  );
  return row ? { size: Number(row.size), note: row.note } : null;
};

/** The size that the witness cosigned last, as far as it is known. */
export const sizeOf = async (sql: Sql, vkey: string): Promise<number> => {
  const [row] = await sql.query<{ size: string }>(
    'select size from log_witnesses where vkey = $1',
    [vkey],
  );
  return Number(row?.size ?? 0);
};

export const setSize = async (sql: Sql, vkey: string, size: number): Promise<void> => {
  await sql.query('update log_witnesses set size = $2 where vkey = $1', [vkey, size]);
};

/**
 * Stores a verified cosignature.
 * @param time seconds since the epoch.
 */
export const storeCosignature = (
  db: Database,
  vkey: string,
  { size, line, time }: { size: number; line: string; time: number },
): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(
      `insert into log_cosignatures (size, vkey, line, cosigned_at)
       values ($1, $2, $3, to_timestamp($4)) on conflict do nothing`,
      [size, vkey, line, time],
    );
    await tx.query(
      `update log_witnesses
       set size = $2, cosigned_size = greatest(cosigned_size, $2), failures = 0, due_at = '-infinity'
       where vkey = $1`,
      [vkey, size],
    );
  });

/** Notes a failure: the next submission is due after 0.5 s, doubled for each failure, at most 60 s. */
export const delayWitness = async (sql: Sql, vkey: string): Promise<void> => {
  await sql.query(
    `update log_witnesses
     set failures = failures + 1,
       due_at = clock_timestamp()
         + (0.5 + random() / 2) * least(60, 0.5 * 2 ^ least(failures, 10)) * interval '1 second'
     where vkey = $1`,
    [vkey],
  );
};
