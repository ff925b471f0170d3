import { sqlMigration } from '@pto/database';

/**
 * Finds an order's queued entries (src/verification/read-chains.ts) however long the queue is. A
 * hash index, because a B-tree costs an append more (docs/performance.md).
 */
export const logQueueOrder = sqlMigration('20261125000000_log_queue_order', [
  'create index log_queue_order on log_queue using hash (order_id)',
]);
