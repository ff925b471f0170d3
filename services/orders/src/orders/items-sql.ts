/**
 * Expressions over `orders o` for its items. Orders of an earlier version have them as rows; the
 * view `order_items`, which that version uses, is described by the migration items_as_json.
 */

/** A JSON array, as partners see it. */
export const itemsJson = `coalesce(o.items::text,
  (select '[' || coalesce(string_agg('{"goods_type":' || to_json(i.goods_type) || ',"seal_id":' ||
      coalesce(to_json(i.seal_id)::text, 'null') || '}', ',' order by i.position), '') || ']'
    from order_item_rows i where i.order_id = o.id))`;

/** How many there are; of rows, the last position in the primary key tells it. */
export const itemCount = `coalesce(o.item_count, (select i.position + 1 from order_item_rows i
  where i.order_id = o.id order by i.position desc limit 1), 0)`;
