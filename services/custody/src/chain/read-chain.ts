import type { Sql } from '@pto/database';
import { type EntryRow, entryColumns } from './entry-row.ts';
import type { Head } from './link.ts';

export const readEntries = (sql: Sql, orderId: string): Promise<EntryRow[]> =>
  sql.query<EntryRow>(`select ${entryColumns} from entries where order_id = $1 order by sequence`, [
    orderId,
  ]);

export interface Chain {
  readonly organizationId: string;
  readonly sequence: number;
}

export const readChain = async (sql: Sql, orderId: string): Promise<Chain | null> =>
  (await readChains(sql, [orderId])).get(orderId) ?? null;

/** Returns the existing chains of these orders, by order id. */
export const readChains = async (
  sql: Sql,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Chain>> => {
  const rows = await sql.query<{ order_id: string; organization_id: string; sequence: number }>(
    'select order_id, organization_id, sequence from chains where order_id = any ($1)',
    [orderIds],
  );
  return new Map(
    rows.map((row) => [
      row.order_id,
      { organizationId: row.organization_id, sequence: row.sequence },
    ]),
  );
};

/** Returns the head of a chain; null if there is no chain. */
export const readHead = async (sql: Sql, orderId: string): Promise<Head | null> => {
  const [row] = await sql.query<{ sequence: number; head_hash: string }>(
    'select sequence, head_hash from chains where order_id = $1',
    [orderId],
  );
  return row ? { sequence: row.sequence, hash: row.head_hash } : null;
};
