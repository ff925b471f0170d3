import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import type { Deliverer } from '../deliverer/deliverer.ts';
import type { Egress, EgressPolicy } from '../egress/index.ts';
import type { HealthLimits } from '../health/verdict.ts';
import type { KeyRing } from '../secrets/key-ring.ts';
import type { SigningKeys } from '../secrets/signing-keys.ts';
import type { ProbeLimits } from './probe-budget.ts';

/** Dependencies of the operations on endpoints. */
export interface EndpointDeps {
  readonly db: Database;
  readonly egress: Egress;
  readonly policy: EgressPolicy;
  readonly ring: KeyRing;
  readonly signingKeys: SigningKeys;
  readonly deliverer: Pick<Deliverer, 'wake' | 'recall'>;
  readonly attemptTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly probes: ProbeLimits;
  readonly log: Telemetry['log'];
  readonly publicBaseUrl: string;
  readonly health: HealthLimits;
}
