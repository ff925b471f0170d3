export { createBatches } from './batches.ts';
export { createConcurrencyLimit, type NoSlot } from './concurrency-limit.ts';
