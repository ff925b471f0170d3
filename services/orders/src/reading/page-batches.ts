import { fragment, type Placeholders, statement } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { Position } from './cursor.ts';
import { type OrderFilters, type Orders, pageQueries, type Valued } from './orders-page.ts';
import { type OrderSource, orderColumns, type StoredOrder, withLocations } from './stored-order.ts';

/**
 * Maximum number of items that one statement reads; an order with more items is read alone. An item
 * has at most 100 characters, so a statement returns at most about 2 MiB of items.
 */
export const batchItemsMax = 4000;

/** Orders of a page, newest first, and whether its query selects more than these. */
interface Batch {
  readonly found: readonly StoredOrder[];
  readonly hasMore: boolean;
}

/**
 * Reads the first orders of a page's query, as many as have at most `batchItemsMax` items together.
 * A first order with more items is read alone.
 * @param limit maximum number of orders.
 * @param itemsMax maximum number of items of all read orders together, also of an order that is
 *   read alone.
 * @returns no orders if the first order has more than `itemsMax` items, or if no order is left.
 */
type ReadBatch = (
  source: OrderSource,
  after: Position | undefined,
  limit: number,
  itemsMax: number,
) => Promise<Batch>;

/** Returns a function that reads batches for each of `pageQueries`. */
export const batchReaders = (filters: OrderFilters): readonly ReadBatch[] =>
  statementsFor(filters).map(
    ({ first, next }) =>
      async ({ sql, findLocations }, after, limit, itemsMax) => {
        const batchMax = Math.min(itemsMax, batchItemsMax);
        // the statement has no place for a value that is absent
        const values = { ...filters, ...after, limit, itemsMax, batchMax } as BatchValues;
        const selected = await (after ? next : first)(sql, values);
        const rows = selected.flatMap(({ items, ...row }) =>
          items === null ? [] : [{ ...row, items }],
        );
        return {
          found: await withLocations({ sql, findLocations }, rows),
          hasMore: (selected[0]?.matched ?? 0) > rows.length,
        };
      },
  );

const filterNames = [
  ...(['organizationId', 'status', 'externalId', 'updatedSince'] as const),
  ...(['reference', 'lastAt', 'lastId'] as const),
];

const statements = new Map<string, ReturnType<typeof buildStatements>>();

/**
 * Returns the statements for each of `pageQueries`. They depend on which filters are present, and
 * are built once for these: building one takes longer than the rest of a small list in this process.
 */
const statementsFor = (filters: OrderFilters) => {
  const names = filterNames.filter((name) => filters[name] !== undefined);
  const key = names.join();
  const known = statements.get(key) ?? buildStatements(filters, names);
  statements.set(key, known);
  return known;
};

type FilterNames = readonly (typeof filterNames)[number][];

const buildStatements = (filters: OrderFilters, names: FilterNames) =>
  pageQueries(filters).map((_, n) => ({
    first: batchStatement(names, n, false),
    next: batchStatement(names, n, true),
  }));

type BatchValues = Required<OrderFilters> &
  Position & { readonly limit: number; readonly itemsMax: number; readonly batchMax: number };

const batchStatement = (names: FilterNames, n: number, isBehind: boolean) =>
  statement((given: Placeholders<BatchValues>) => {
    const present = Object.fromEntries(names.map((name) => [name, given[name]]));
    const query = pageQueries(present as unknown as Valued<OrderFilters>)[n]!;
    const page = query(
      isBehind ? { createdAt: given.createdAt, id: given.id } : undefined,
      given.limit,
    );
    return (
      orderColumns
        .innerJoin(batchOf(page).as('batch'), 'batch.id', 'o.id')
        .where('o.organization_id', '=', given.organizationId)
        .select('batch.matched')
        // the first order is selected in any case, without its items if they are too many
        .select(({ ref }) =>
          fragment<string | null>`case when ${ref('batch.items')} <= ${given.itemsMax}
          then ${ref('o.items')}::text end`.as('items'),
        )
        .where(({ eb, lit, or, ref }) => {
          const items = fragment<number>`${ref('batch.items_before')} + ${ref('batch.items')}`;
          return or([eb(items, '<=', given.batchMax), eb('batch.items_before', '=', lit(0))]);
        })
        .orderBy('o.created_at', 'desc')
        .orderBy('o.id', 'desc')
    );
  });

/**
 * Selects a page's orders, each with the number of its items and of the items of the orders before
 * it, and with the number of all orders of the page (`matched`).
 */
const batchOf = (page: Orders) =>
  tables
    .with(
      (cte) => cte('listed').materialized(),
      () => page.select(['o.id', 'o.created_at', 'o.item_count as items']),
    )
    .with(
      (cte) => cte('counted').materialized(),
      (db) =>
        db.selectFrom('listed').select(({ cast, fn, ref }) => [
          'id',
          'items',
          cast<number>(fn.countAll().over(), 'integer').as('matched'),
          fragment<number>`sum(${ref('items')})
              over (order by ${ref('created_at')} desc, ${ref('id')} desc) - ${ref('items')}`.as(
            'items_before',
          ),
        ]),
    )
    .selectFrom('counted')
    .selectAll();
