import type { BlockList } from 'node:net';
import type { Scope } from '../access/scopes.ts';

/** Who is behind a key, and what he may. */
export interface Credentials {
  readonly keyId: string;
  readonly organization: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly scopes: ReadonlySet<Scope>;
  /** Per minute; null for the gateway's own. */
  readonly limits: { readonly reads: number | null; readonly writes: number | null };
  /** Milliseconds since the epoch; Infinity for never. */
  readonly expiresAt: number;
  readonly revoked: boolean;
  /** Client addresses that may use the key; null: any address (decision 60). */
  readonly allowedFrom: BlockList | null;
}
