import type { Mutant } from './mutant.ts';
import { boundaryMutants } from './tables/boundaries.ts';
import { custodyMutants } from './tables/custody.ts';
import { gatewayMutants } from './tables/gateway.ts';
import { ordersMutants } from './tables/orders.ts';
import { packagesMutants } from './tables/packages.ts';
import { storedOnceMutants } from './tables/stored-once.ts';
import { webhooksMutants } from './tables/webhooks.ts';

/** Safety mechanisms and the tests that prove them. A mechanism without a row is not proven. */
export const mutants: readonly Mutant[] = [
  ...custodyMutants,
  ...gatewayMutants,
  ...ordersMutants,
  ...packagesMutants,
  ...webhooksMutants,
  ...boundaryMutants,
  ...storedOnceMutants,
];
