import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@pto/database';
import { type EntryRow, entryColumns } from './entry-row.ts';
import type { Head } from './link.ts';

/** How long a reader waits for an entry that is known to be on its way (decision 32). */
const freshWaitMs = 2000;
const pauseMs = 15;

export const readEntries = (sql: Sql, orderId: string): Promise<EntryRow[]> =>
  sql.query<EntryRow>(`select ${entryColumns} from entries where order_id = $1 order by sequence`, [
    orderId,
  ]);

interface Chain {
  readonly organizationId: string;
  readonly sequence: number;
}

export const readChain = async (sql: Sql, orderId: string): Promise<Chain | null> => {
  const [row] = await sql.query<{ organization_id: string; sequence: number }>(
    'select organization_id, sequence from chains where order_id = $1',
    [orderId],
  );
  return row ? { organizationId: row.organization_id, sequence: row.sequence } : null;
};

/** Where the chain stands; null where there is none. */
export const readHead = async (sql: Sql, orderId: string): Promise<Head | null> => {
  const [row] = await sql.query<{ sequence: number; head_hash: string }>(
    'select sequence, head_hash from chains where order_id = $1',
    [orderId],
  );
  return row ? { sequence: row.sequence, hash: row.head_hash } : null;
};

/** The chain once it holds `sequence`, or as it is after 2 s or when the caller has gone. */
export const awaitChain = async (
  sql: Sql,
  orderId: string,
  sequence: number,
  signal: AbortSignal,
): Promise<Chain | null> => {
  const end = Date.now() + freshWaitMs;
  for (;;) {
    const chain = await readChain(sql, orderId);
    if ((chain?.sequence ?? 0) >= sequence || Date.now() > end || signal.aborted) return chain;
    await sleep(pauseMs);
  }
};
