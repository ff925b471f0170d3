/** Order events, from orders to custody; the key is the order's id. */
export declare const orderEventsTopic = 'orders.order-events.v1';
/** What the ledger holds, from custody to webhooks and orders; the key is the order's id. */
export declare const custodyEventsTopic = 'custody.custody-events.v1';
