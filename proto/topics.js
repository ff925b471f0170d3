/** Order events, from orders to custody; the key is the order's id. */
export const orderEventsTopic = 'orders.order-events.v1';

/** What the ledger holds, from custody to webhooks and orders; the key is the order's id. */
export const custodyEventsTopic = 'custody.custody-events.v1';
