export { createBatches } from './batches.ts';
export { cachedFor } from './cached-for.ts';
export { createLimit, type NotStarted } from './limit.ts';
export { type OrganizationSlots, organizationSlots } from './organization-slots.ts';
export { openThread, serveThread, type Thread } from './thread.ts';
