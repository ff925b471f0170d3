/**
 * R12: GET /orders?limit=50 through the local stack against Express and pg in one process, with the
 * same rows; the local stack's response has a cursor as well. `node bench/list-orders.ts`. Needs wrk.
 */
import { compareReads } from './http/compare-reads.ts';

const path = '/orders?limit=50';
await compareReads(
  `R12: GET ${path}`,
  { 32: 'at least 0.5' },
  () => path,
  ({ data }) => data,
);
