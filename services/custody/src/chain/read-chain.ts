import { type Given, type Sql, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import { type EntryRow, entryColumns } from './entry-row.ts';
import type { Head } from './link.ts';

const selectEntries = statement((given: Given<{ orderId: string }>) =>
  tables
    .selectFrom('entries')
    .select(entryColumns)
    .where('order_id', '=', given.orderId)
    .orderBy('sequence'),
);

export const readEntries = (sql: Sql, orderId: string): Promise<EntryRow[]> =>
  selectEntries(sql, { orderId });

export interface Chain {
  readonly organizationId: string;
  readonly sequence: number;
}

export const readChain = async (sql: Sql, orderId: string): Promise<Chain | null> =>
  (await readChains(sql, [orderId])).get(orderId) ?? null;

const selectChains = statement((given: Given<{ orderIds: readonly string[] }>) =>
  tables
    .selectFrom('chains')
    .select(['order_id', 'organization_id', 'sequence'])
    .where(({ eb, fn }) => eb('order_id', '=', fn.any(given.orderIds))),
);

/** Returns the existing chains of these orders, by order id. */
export const readChains = async (
  sql: Sql,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Chain>> => {
  const rows = await selectChains(sql, { orderIds });
  return new Map(
    rows.map((row) => [
      row.order_id,
      { organizationId: row.organization_id, sequence: row.sequence },
    ]),
  );
};

const selectHead = statement((given: Given<{ orderId: string }>) =>
  tables
    .selectFrom('chains')
    .select(['sequence', 'head_hash'])
    .where('order_id', '=', given.orderId),
);

/** Returns the head of a chain; null if there is no chain. */
export const readHead = async (sql: Sql, orderId: string): Promise<Head | null> => {
  const [row] = await selectHead(sql, { orderId });
  return row ? { sequence: row.sequence, hash: row.head_hash } : null;
};
