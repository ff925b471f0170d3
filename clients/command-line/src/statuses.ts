import type { SandboxTarget } from '../../typescript/src/index.ts';

/** Statuses to which the sandbox advances an order, in their order (contract 3.1). */
export const advancedStatuses = [
  'ASSIGNED',
  'ACCEPTED',
  'DRIVER_ASSIGNED',
  'PICKUP_STARTED',
  'SEALED',
  'IN_TRANSIT',
  'DELIVERED',
  'CLOSED',
] as const satisfies readonly SandboxTarget[];

export type AdvancedStatus = (typeof advancedStatuses)[number];
