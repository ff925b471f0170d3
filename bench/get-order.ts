/**
 * R1: GET /orders/{id} through the local stack against Express and pg in one process, with the same
 * row and response bytes. `CONNECTIONS=32,128 node bench/get-order.ts`. Needs wrk.
 */
import { compareReads } from './http/compare-reads.ts';

await compareReads('R1: GET /orders/{id}', ({ orderId }) => `/orders/${orderId}`);
