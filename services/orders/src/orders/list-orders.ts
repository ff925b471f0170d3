import { type Database, isoMillis, type Sql } from '@pto/database';
import { awaitChanges, noChangeBefore } from './change-time.ts';
import { type Position, readCursor, writeCursor } from './cursor.ts';
import { type StoredOrder, toBody } from './order-row.ts';
import { type OrderFilters, pageStatements } from './orders-page.ts';
import { anyItems, envelopeBytes, itemsWithin, pageMaxBytes } from './page-size.ts';
import { selectBatch } from './select-batch.ts';

export interface OrderQuery extends OrderFilters {
  /** 1..100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ListedOrder {
  readonly stored: StoredOrder;
  /** As partners see it: UTF-8 JSON. */
  readonly body: Buffer;
}

export interface OrderPage {
  readonly orders: readonly ListedOrder[];
  readonly nextCursor: string | undefined;
  /**
   * On the first page of a list by `updatedSince`: a client that polls from this time on misses no
   * change. `YYYY-MM-DDTHH:mm:ss.sssZ`.
   */
  readonly asOf: string | undefined;
}

/**
 * A page of an organization's orders by (created_at, id) descending (contract 4.3), at most `limit`
 * orders and 1 MiB of JSON, at least one order (decision 56).
 * @throws Failure VALIDATION for a cursor that is forged or of another list (decision 13)
 */
export const listOrders = async (
  db: Database,
  cursorKey: Buffer,
  query: OrderQuery,
): Promise<OrderPage> => {
  const { organizationId, updatedSince, cursor } = query;
  if (updatedSince === undefined || cursor !== undefined)
    return { ...(await readPage(db, cursorKey, query)), asOf: undefined };
  return db.transaction(async (tx) => {
    const asOf = isoMillis(await awaitChanges(tx, organizationId));
    const page = await readPage(tx, cursorKey, query);
    // a change from before the clock was set back: a poll from its time on must miss none either
    const latest = page.orders.reduce((at, { stored }) => later(at, stored.order.updatedAt), asOf);
    if (latest > asOf) await noChangeBefore(tx, organizationId, latest);
    return { ...page, asOf };
  });
};

/** Of two times as the public sees them: their text sorts as they do. */
const later = (a: string, b: string): string => (a > b ? a : b);

const readPage = async (sql: Sql, cursorKey: Buffer, query: OrderQuery) => {
  const { organizationId, status, externalId, updatedSince } = query;
  const filters = [organizationId, status, externalId, updatedSince];
  const after =
    query.cursor === undefined ? undefined : readCursor(cursorKey, filters, query.cursor);
  const { shown, hasMore } = await readUntilFull(sql, query, after);
  const last = hasMore ? shown.at(-1) : undefined;
  return {
    orders: shown,
    nextCursor: last && writeCursor(cursorKey, filters, positionOf(last.stored)),
  };
};

const positionOf = ({ createdAtMicros, order }: StoredOrder): Position => ({
  createdAt: createdAtMicros,
  id: order.id,
});

/**
 * Reads batches until the page has `limit` orders or the next one would make its body exceed
 * `pageMaxBytes` (decision 56). Memory holds one page and one batch.
 */
const readUntilFull = async (sql: Sql, query: OrderQuery, start: Position | undefined) => {
  const shown: ListedOrder[] = [];
  let [bytes, after, itemsMax] = [envelopeBytes, start, anyItems];
  for (let part = 0; ; ) {
    const statement = pageStatements(query, after)[part];
    if (!statement) return { shown, hasMore: false };
    // one more than the limit tells whether the list goes on
    const rows = query.limit + 1 - shown.length;
    const batch = await selectBatch(sql, statement(rows), itemsMax);
    // the batch before had more: the next order does not fit
    if (itemsMax !== anyItems && batch.found.length === 0) return { shown, hasMore: true };
    for (const stored of batch.found) {
      const body = toBody(stored);
      bytes += body.length + 1; // the comma behind it
      const isFull = shown.length === query.limit || bytes > pageMaxBytes;
      if (isFull && shown.length > 0) return { shown, hasMore: true };
      shown.push({ stored, body });
      after = positionOf(stored);
    }
    if (batch.hasMore && shown.length === query.limit) return { shown, hasMore: true };
    if (!batch.hasMore) part++;
    itemsMax = batch.hasMore ? itemsWithin(pageMaxBytes - bytes) : anyItems;
  }
};
