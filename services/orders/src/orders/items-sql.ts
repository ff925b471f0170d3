/**
 * SQL expressions over `orders o` for an order's items. Orders of an earlier version have rows in
 * place of JSON. The migration items_as_json describes the view `order_items`, which that version
 * uses.
 */

/** The items as a JSON array, in the form that partners see. */
export const itemsJson = `coalesce(o.items::text,
  (select '[' || coalesce(string_agg('{"goods_type":' || to_json(i.goods_type) || ',"seal_id":' ||
      coalesce(to_json(i.seal_id)::text, 'null') || '}', ',' order by i.position), '') || ']'
    from order_item_rows i where i.order_id = o.id))`;

/** The number of items. For items in rows it is the last position plus 1, by the primary key. */
export const itemCount = `coalesce(o.item_count, (select i.position + 1 from order_item_rows i
  where i.order_id = o.id order by i.position desc limit 1), 0)`;
