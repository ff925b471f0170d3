import { execute, fragment, isoMillis, type Sql } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import { secondsBehind } from '../witness/witness-store.ts';

/** Checkpoints of an overview. */
const checkpointsMax = 20;

/**
 * Returns the state of the log, for operators: its newest checkpoints with the witnesses that
 * cosigned each, and how far each witness is behind.
 * @param sql one snapshot, so that sizes and checkpoints agree.
 * @param vkeys of the configured witnesses; cosignatures of others are left out.
 */
export const logOverview = async (sql: Sql, vkeys: readonly string[]) => {
  const [state] = await execute(
    sql,
    tables.selectFrom('log_state').select(['size', 'halted', 'anchored_size']),
  );
  const anchored = BigInt(state?.anchored_size ?? 0);
  const checkpoints = await execute(
    sql,
    tables
      .selectFrom('log_checkpoints')
      .select(['size', 'root', 'signed_at'])
      .orderBy('size', 'desc')
      .limit(checkpointsMax),
  );
  const cosigned = await cosignatures(
    sql,
    checkpoints.map(({ size }) => size),
    vkeys,
  );
  return {
    size: BigInt(state?.size ?? 0),
    anchoredSize: anchored,
    halted: state?.halted ?? '',
    checkpoints: checkpoints.map(({ size, root, signed_at: signedAt }) => ({
      size: BigInt(size),
      root: root.toString('base64'),
      signedAt: isoMillis(signedAt),
      anchored: BigInt(size) <= anchored,
      witnesses: cosigned.filter((one) => one.size === size).map(({ vkey }) => nameOf(vkey)),
    })),
    witnesses: await witnessStates(sql, vkeys),
  };
};

/** A vkey begins with the witness's name (C2SP signed note). */
const nameOf = (vkey: string): string => vkey.slice(0, vkey.indexOf('+'));

const cosignatures = (sql: Sql, sizes: readonly string[], vkeys: readonly string[]) =>
  execute(
    sql,
    tables
      .selectFrom('log_cosignatures')
      .select(['size', 'vkey'])
      .where(({ eb, fn, val }) => eb('size', '=', fn.any(val([...sizes]))))
      .where(({ eb, fn, val }) => eb('vkey', '=', fn.any(val([...vkeys]))))
      .orderBy('vkey'),
  );

const witnessStates = async (sql: Sql, vkeys: readonly string[]) => {
  const behind = await secondsBehind(sql);
  const rows = await execute(
    sql,
    tables
      .selectFrom('log_witnesses as w')
      .select(['w.vkey', 'w.cosigned_size', 'w.failures'])
      .select(({ selectFrom }) =>
        selectFrom('log_cosignatures as s')
          .select('s.cosigned_at')
          .whereRef('s.vkey', '=', 'w.vkey')
          .whereRef('s.size', '=', 'w.cosigned_size')
          .limit(fragment.lit(1))
          .as('cosigned_at'),
      )
      .where(({ eb, fn, val }) => eb('w.vkey', '=', fn.any(val([...vkeys]))))
      .orderBy('w.vkey'),
  );
  return rows.map((row) => ({
    name: nameOf(row.vkey),
    cosignedSize: BigInt(row.cosigned_size),
    cosignedAt: row.cosigned_at === null ? '' : isoMillis(row.cosigned_at),
    secondsBehind: behind.get(row.vkey) ?? 0,
    failures: row.failures,
  }));
};
