export { type BatchBounds, createBatches } from './batches.ts';
export {
  type ConcurrencyBounds,
  type ConcurrencyLimit,
  createConcurrencyLimit,
  type NoSlot,
} from './concurrency-limit.ts';
