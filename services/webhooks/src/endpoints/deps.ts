import type { Database } from '@pto/database';
import type { KeyRing } from '@pto/sealing';
import type { Telemetry } from '@pto/telemetry';
import type { Deliverer } from '../deliverer/deliverer.ts';
import type { EgressPolicy } from '../egress/address-policy.ts';
import type { Egress } from '../egress/egress.ts';
import type { HealthLimits } from '../health/health.ts';
import type { SigningKeys } from '../secrets/sign.ts';

/** Dependencies of the operations on endpoints. */
export interface EndpointDeps {
  readonly db: Database;
  readonly egress: Egress;
  readonly policy: EgressPolicy;
  readonly ring: KeyRing;
  readonly signingKeys: SigningKeys;
  readonly deliverer: Pick<Deliverer, 'wake'>;
  readonly attemptTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Maximum number of unproven probes to one host per minute. */
  readonly probesPerHostPerMinute: number;
  readonly log: Telemetry['log'];
  readonly publicBaseUrl: string;
  readonly retryWaitsMs: readonly number[];
  /** The client certificate in use, in PEM, its chain after it; undefined if there is none. */
  readonly clientCertificate: () => Buffer | undefined;
  readonly health: HealthLimits;
  /** Whether endpoints may have rehearsals; true in the sandbox alone. */
  readonly rehearses: boolean;
}
