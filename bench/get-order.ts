/**
 * R1: GET /orders/{id} through the local stack against Express and pg in one process, with the same
 * row and response bytes. `node bench/get-order.ts`. Needs wrk.
 */
import { compareReads } from './http/compare-reads.ts';

const goals = { 32: 'at least 0.6', 128: 'at least 0.95' };
await compareReads('R1: GET /orders/{id}', goals, ({ orderId }) => `/orders/${orderId}`);
