import type { Mutant } from './mutant.ts';
import { boundsMutants } from './tables/bounds.ts';
import { busMutants } from './tables/bus.ts';
import { busKafkaMutants } from './tables/bus-kafka.ts';
import { clientMutants } from './tables/clients.ts';
import { custodyMutants } from './tables/custody.ts';
import { databaseMutants } from './tables/database.ts';
import { gatewayMutants } from './tables/gateway.ts';
import { operatorMutants } from './tables/operator.ts';
import { ordersMutants } from './tables/orders.ts';
import { packagesMutants } from './tables/packages.ts';
import { signatureMutants } from './tables/signatures.ts';
import { storedOnceMutants } from './tables/stored-once.ts';
import { webhooksMutants } from './tables/webhooks.ts';
import { webhooksClaimMutants } from './tables/webhooks-claim.ts';
import { webhooksDelivererMutants } from './tables/webhooks-deliverer.ts';
import { webhooksStreamMutants } from './tables/webhooks-streams.ts';
import { workerMutants } from './tables/worker.ts';

/** Safety mechanisms and the tests that prove them. A mechanism without a row is not proven. */
export const mutants: readonly Mutant[] = [
  ...custodyMutants,
  ...gatewayMutants,
  ...ordersMutants,
  ...packagesMutants,
  ...databaseMutants,
  ...busMutants,
  ...busKafkaMutants,
  ...workerMutants,
  ...webhooksMutants,
  ...webhooksClaimMutants,
  ...webhooksDelivererMutants,
  ...webhooksStreamMutants,
  ...boundsMutants,
  ...signatureMutants,
  ...storedOnceMutants,
  ...operatorMutants,
  ...clientMutants,
];
