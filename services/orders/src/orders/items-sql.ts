import { expressionBuilder, fragment } from '@pto/database';
import { tables } from '../schema/tables.ts';

/**
 * SQL expressions over `orders as o` for an order's items. An earlier version of this service
 * stored the items in rows of `order_item_rows`; the JSON column `items` of these orders is null.
 * The migration items_as_json describes the view `order_items`, which the earlier version uses.
 */
const { cast, fn, lit, selectFrom } = expressionBuilder(tables.selectFrom('orders as o'));

const itemRows = selectFrom('order_item_rows as i').whereRef('i.order_id', '=', 'o.id');

/** The items as a JSON array, in the form that partners see. */
export const itemsJson = fn.coalesce(
  cast<string>('o.items', 'text'),
  itemRows.select(({ ref }) =>
    fragment<string>`'[' || coalesce(string_agg(
      '{"goods_type":' || to_json(${ref('i.goods_type')}) || ',"seal_id":' ||
        coalesce(to_json(${ref('i.seal_id')})::text, 'null') || '}',
      ',' order by ${ref('i.position')}), '') || ']'`.as('items'),
  ),
);

/**
 * The number of an order's items. Without the column `item_count` it is the last position in
 * `order_item_rows` plus 1, which PostgreSQL finds by the primary key.
 */
export const itemCount = fn.coalesce(
  'o.item_count',
  itemRows
    .select(({ ref }) => fragment<number>`${ref('i.position')} + 1`.as('count'))
    .orderBy('i.position', 'desc')
    .limit(lit(1)),
  lit(0),
);
