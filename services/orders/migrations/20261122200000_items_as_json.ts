import { sqlMigration } from '@pto/database';

/**
 * Stores an order's items in one JSON column, in the form that partners see. As thousands of rows
 * with a foreign key, the items of one large order cost as much as hundreds of usual orders.
 *
 * Orders of the version before have their items as rows in `order_item_rows`. That version runs
 * beside this one, and after a roll-back. For it, `order_items` is a view over both: its inserts
 * become rows, its seals update the rows or the column. A later release may move the rows into the
 * column and drop the table and the view.
 */
export const itemsAsJson = sqlMigration('20261122200000_items_as_json', [
  // null if the items are rows
  'alter table orders add column items json, add column item_count int',
  `alter table orders add constraint items_with_their_count
     check ((items is null) = (item_count is null)) not valid`,
  // no compression: for hundreds of kilobytes it takes longer than the write
  'alter table orders alter column items set storage external',
  'alter table idempotency alter column answer set storage external',
  'alter table order_items rename to order_item_rows',
  `create view order_items (order_id, position, goods_type, seal_id) as
     select order_id, position, goods_type, seal_id from order_item_rows
     union all
     select o.id, (i.n - 1)::int, i.item ->> 'goods_type', i.item ->> 'seal_id'
     from orders o, json_array_elements(o.items) with ordinality as i (item, n)`,
  `create function write_order_item() returns trigger language plpgsql as $$
   begin
     if tg_op = 'INSERT' then
       insert into order_item_rows (order_id, position, goods_type, seal_id)
       values (new.order_id, new.position, new.goods_type, new.seal_id);
       return new;
     end if;
     update order_item_rows set seal_id = new.seal_id
     where order_id = old.order_id and position = old.position;
     if not found then
       update orders set items = jsonb_set(items::jsonb, array[old.position::text, 'seal_id'],
         coalesce(to_jsonb(new.seal_id), 'null'))::json
       where id = old.order_id;
     end if;
     return new;
   end $$`,
  `create trigger write_order_item instead of insert or update on order_items
     for each row execute function write_order_item()`,
]);
