import { type Database, execute, type FreshReads, isoMillis, type Sql } from '@pto/database';
import { awaitChanges, noChangeBefore } from '../change-time.ts';
import { type CursorKeys, type Position, readCursor, writeCursor } from './cursor.ts';
import { anyItems } from './get-order.ts';
import { lastRead, type OrderFilters } from './orders-page.ts';
import { batchReaders } from './page-batches.ts';
import { literal } from './search-orders.ts';
import { type OrderSource, type StoredOrder, toBody } from './stored-order.ts';

export interface OrderQuery extends Omit<OrderFilters, 'reference' | 'lastAt' | 'lastId'> {
  /** A part of the external id, in any case. */
  readonly search?: string | undefined;
  /** Maximum number of orders, 1 to 100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ListedOrder {
  readonly stored: StoredOrder;
  /** The order's JSON for partners, in UTF-8. */
  readonly body: Buffer;
}

export interface OrderPage {
  readonly orders: readonly ListedOrder[];
  readonly nextCursor: string | undefined;
  /**
   * The `updated_since` for the client's next poll, so that it misses no change; in the form
   * `YYYY-MM-DDTHH:mm:ss.sssZ`. Undefined except on the first page of a list by `updatedSince`.
   */
  readonly asOf: string | undefined;
}

interface ListDeps extends Pick<OrderSource, 'findLocations'> {
  readonly db: Database;
  readonly reads: FreshReads;
  readonly cursorKeys: CursorKeys;
}

/**
 * Lists a page of an organization's orders by (created_at, id) descending (contract 4.3). A page
 * has at most `limit` orders and 1 MiB of JSON; an order that is larger is a page alone (decision
 * 56). A page of a search ends, even without an order, after the orders that it may read.
 * @throws Failure VALIDATION if this service did not issue the cursor, or if the cursor belongs to
 *   a list with other filters (decision 13)
 */
export const listOrders = async (deps: ListDeps, query: OrderQuery): Promise<OrderPage> =>
  (await listWithin(deps, query, false))!;

/**
 * Lists a page as `listOrders` does if the page is light: at most 1000 items and 128 KiB of JSON.
 * Otherwise returns null, after it has read no more than that.
 */
export const listLightOrders = (deps: ListDeps, query: OrderQuery): Promise<OrderPage | null> =>
  listWithin(deps, query, true);

const listWithin = async (
  { db, reads, findLocations, cursorKeys }: ListDeps,
  query: OrderQuery,
  isLight: boolean,
): Promise<OrderPage | null> => {
  const { organizationId, status, externalId, updatedSince, search, cursor } = query;
  const searched = search === undefined ? [] : [search];
  const filters = [organizationId, status, externalId, updatedSince, ...searched];
  const after = cursor === undefined ? undefined : readCursor(cursorKeys, filters, cursor);
  const read = async (sql: Sql): Promise<OrderPage | null> => {
    const [end] =
      search === undefined || externalId !== undefined
        ? []
        : await execute(sql, lastRead(query, after));
    const found = {
      ...query,
      reference: search && `%${literal(search)}%`,
      ...(end && { lastAt: end.created_at, lastId: end.id }),
    };
    const page = await readUntilFull({ sql, findLocations }, found, after, isLight);
    if (!page) return null;
    const shown = page.shown.at(-1);
    const last = page.hasMore ? shown && positionOf(shown.stored) : end && lastOf(end);
    const nextCursor = last && writeCursor(cursorKeys, filters, last);
    return { orders: page.shown, nextCursor, asOf: undefined };
  };
  // the first page of a list by `updated_since` holds a lock of the primary
  if (updatedSince === undefined || cursor !== undefined) return reads.fresh(read);
  return db.transaction(async (tx) => {
    const asOf = isoMillis(await awaitChanges(tx, organizationId));
    const page = await read(tx);
    if (!page) return null;
    // If the clock was set back, an order of the page can have an `updated_at` after `asOf`. A
    // client that polls since that `updated_at` must miss no change either.
    // Texts in the public format sort by time.
    const [latest = asOf] = page.orders
      .map(({ stored }) => stored.order.updatedAt)
      .sort()
      .reverse();
    if (latest > asOf) await noChangeBefore(tx, organizationId, latest);
    return { ...page, asOf };
  });
};

const lastOf = ({ created_at: createdAt, id }: { created_at: string; id: string }): Position => ({
  createdAt,
  id,
});

const positionOf = ({ createdAtMicros, order }: StoredOrder): Position => ({
  createdAt: createdAtMicros,
  id: order.id,
});

/**
 * Reads batches until the page has `limit` orders, the next order would make its body exceed
 * `pageMaxBytes` (decision 56), or no order is left. Memory contains one page and one batch.
 * @param isLight whether to read one batch of a light page at most; returns null if the page has
 *   more.
 */
const readUntilFull = async (
  source: OrderSource,
  query: OrderFilters & Pick<OrderQuery, 'limit'>,
  start: Position | undefined,
  isLight: boolean,
) => {
  const shown: ListedOrder[] = [];
  const firstMax = isLight ? lightItems : anyItems;
  let [bytes, after, itemsMax] = [envelopeBytes, start, firstMax];
  const readers = [...batchReaders(query)];
  while (readers.length > 0) {
    // one row more than the limit shows whether the list continues
    const batch = await readers[0]!(source, after, query.limit + 1 - shown.length, itemsMax);
    // the next order has too many items
    if (batch.hasMore && batch.found.length === 0) return isLight ? null : { shown, hasMore: true };
    for (const stored of batch.found) {
      const body = toBody(stored);
      bytes += body.length + 1; // the comma after it
      const isFull = shown.length === query.limit || bytes > pageMaxBytes;
      if (isFull && shown.length > 0) return { shown, hasMore: true };
      if (isLight && bytes > lightBytes) return null;
      shown.push({ stored, body });
      after = positionOf(stored);
    }
    if (batch.hasMore && shown.length === query.limit) return { shown, hasMore: true };
    if (isLight && batch.hasMore) return null;
    if (!batch.hasMore) readers.shift();
    itemsMax = batch.hasMore ? itemsWithin(pageMaxBytes - bytes) : firstMax;
  }
  return { shown, hasMore: false };
};

/** Maximum bytes of a list's JSON body; only a single order may be larger (decision 56). */
export const pageMaxBytes = 1024 * 1024;

/** Maximum bytes and items of a light page, which needs no turn (decision 66). */
export const lightBytes = 128 * 1024;
export const lightItems = 1000;

/** Bytes reserved for the JSON around the orders: `data`, `next_cursor` and `as_of`. */
export const envelopeBytes = 1024;

const itemBytesMin = '{"goods_type":"x","seal_id":null},'.length;

/**
 * Returns an upper bound of the number of items that fit into `bytes` of a list's body: `bytes`
 * divided by the smallest size of an item's JSON.
 */
export const itemsWithin = (bytes: number): number => Math.max(0, Math.floor(bytes / itemBytesMin));
