import { type Database, isoMillis, type Sql } from '@pto/database';

/** A public key that signs or has signed checkpoints. */
export interface LogKey {
  readonly vkey: string;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly validFrom: string;
  readonly validUntil: string | null;
}

/** Makes the key the one that signs; the one before it stays listed with the end of its time. */
export const registerKey = (db: Database, vkey: string): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query('select from log_state for update');
    if (await isCurrentKey(tx, vkey)) return;
    await tx.query('update log_keys set valid_until = clock_timestamp() where valid_until is null');
    await tx.query(
      `insert into log_keys (vkey) values ($1)
       on conflict (vkey) do update set valid_until = null`,
      [vkey],
    );
  });

/** Whether this replica's key is the one that signs: after a rotation the old one signs no more. */
export const isCurrentKey = async (sql: Sql, vkey: string): Promise<boolean> => {
  const rows = await sql.query('select from log_keys where vkey = $1 and valid_until is null', [
    vkey,
  ]);
  return rows.length === 1;
};

/** All keys, the oldest first. */
export const listKeys = async (sql: Sql): Promise<LogKey[]> => {
  const rows = await sql.query<{ vkey: string; valid_from: string; valid_until: string | null }>(
    'select vkey, valid_from, valid_until from log_keys order by valid_from, vkey',
  );
  return rows.map((row) => ({
    vkey: row.vkey,
    validFrom: isoMillis(row.valid_from),
    validUntil: row.valid_until && isoMillis(row.valid_until),
  }));
};
