import { defineEntity, p } from '@mikro-orm/core';

/**
 * A row of `order_item_rows`: an item of an order that was stored before the column `orders.items`
 * existed.
 */
export const OrderItemRowEntity = defineEntity({
  name: 'OrderItemRow',
  tableName: 'order_item_rows',
  properties: {
    orderId: p.uuid().primary(),
    position: p.integer().primary(),
    goodsType: p.text(),
    sealId: p.text().nullable(),
  },
});
