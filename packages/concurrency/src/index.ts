export { createBatches } from './batches.ts';
export { cachedFor } from './cached-for.ts';
export { createConcurrencyLimit, type NoSlot } from './concurrency-limit.ts';
export { type OrganizationSlots, organizationSlots } from './organization-slots.ts';
export { createSharedLimit } from './shared-limit.ts';
export { openThread, serveThread, type Thread } from './thread.ts';
