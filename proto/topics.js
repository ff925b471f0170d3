/** Order events, from orders to custody; the key is the order's id. */
export const orderEventsTopic = 'orders.order-events.v1';

/** What the ledger holds, from custody to webhooks and orders; the key is the order's id. */
export const custodyEventsTopic = 'custody.custody-events.v1';

/** The log's signed checkpoints, for anyone; the key is the log's origin, the value the note. */
export const custodyCheckpointsTopic = 'custody.checkpoints.v1';
