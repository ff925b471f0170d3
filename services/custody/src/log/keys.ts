import {
  clockTimestamp,
  execute,
  fragment,
  isoMillis,
  openDatabase,
  type Sql,
  type Transaction,
} from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { tables } from '../schema/ledger-database.ts';

/** A public key that signs or has signed checkpoints. */
export interface LogKey {
  readonly vkey: string;
  /** Time in the form `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly validFrom: string;
  readonly validUntil: string | null;
}

/** Registers the first keys of a new log. Does nothing if the log has keys. */
export const registerFirstKeys = async (sql: Sql, vkeys: readonly string[]): Promise<void> => {
  await execute(
    sql,
    tables.selectNoFrom(({ fn, val }) =>
      fn<string>('register_first_log_keys', [val(vkeys)]).as('registered'),
    ),
  );
};

/**
 * Makes these keys the signing keys, on a connection of the database's owner: the service's role
 * may not change keys. The validity of all other keys ends; they stay listed.
 */
export const registerKeysAsOwner = async (
  ownerUrl: string,
  vkeys: readonly string[],
): Promise<void> => {
  // separate metrics: the service's registry has the metrics of the service's own pool
  const telemetry = createTelemetry({ service: 'custody' });
  const limits = { poolMax: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 5000 };
  const owner = await openDatabase({ url: ownerUrl, ...limits, telemetry });
  const register = async (tx: Transaction) => {
    await execute(tx, tables.selectFrom('log_state').select('one').forUpdate());
    await execute(
      tx,
      tables
        .updateTable('log_keys')
        .set({ valid_until: clockTimestamp })
        .where('valid_until', 'is', null)
        .where(({ eb, val }) => eb('vkey', '<>', fragment<string>`all (${val(vkeys)})`)),
    );
    if (vkeys.length === 0) return;
    await execute(
      tx,
      tables
        .insertInto('log_keys')
        .values(vkeys.map((vkey) => ({ vkey })))
        .onConflict((conflict) => conflict.column('vkey').doUpdateSet({ valid_until: null })),
    );
  };
  await owner.transaction(register).finally(() => owner.close());
};

/** Whether these keys are the current signing keys. After a rotation the old keys must not sign. */
export const areCurrentKeys = async (sql: Sql, vkeys: readonly string[]): Promise<boolean> => {
  const current = (await listKeys(sql)).filter(({ validUntil }) => validUntil === null);
  return current.length === vkeys.length && current.every(({ vkey }) => vkeys.includes(vkey));
};

/** Returns all keys, oldest first. */
export const listKeys = async (sql: Sql): Promise<LogKey[]> => {
  const rows = await execute(
    sql,
    tables
      .selectFrom('log_keys')
      .select(['vkey', 'valid_from', 'valid_until'])
      .orderBy('valid_from')
      .orderBy('vkey'),
  );
  return rows.map((row) => ({
    vkey: row.vkey,
    validFrom: isoMillis(row.valid_from),
    validUntil: row.valid_until && isoMillis(row.valid_until),
  }));
};
