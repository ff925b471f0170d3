import { defineEntity, p } from '@mikro-orm/core';

/** An item of an order from the version before `orders.items`. */
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
