export { type BatchBounds, createBatches } from './batches.ts';
export {
  type ConcurrencyBounds,
  type ConcurrencyLimit,
  createConcurrencyLimit,
} from './concurrency-limit.ts';
