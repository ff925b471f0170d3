import type { BlockList } from 'node:net';
import type { Scope } from '@pto/access';

/** A known key with its organization, and what the key may do. */
export interface Credentials {
  readonly keyId: string;
  readonly organization: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly scopes: ReadonlySet<Scope>;
  /** Requests per minute; null: the gateway's default. */
  readonly limits: { readonly reads: number | null; readonly writes: number | null };
  /** Milliseconds since the epoch; Infinity: the key does not expire. */
  readonly expiresAt: number;
  readonly revoked: boolean;
  /** Client addresses that may use the key; null: any address (decision 60). */
  readonly allowedFrom: BlockList | null;
}
