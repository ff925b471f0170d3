import type { Authority } from '@pto/testing';
import { parseAllowedRange } from '../../src/egress/address-policy.ts';
import { type Egress, openEgress } from '../../src/egress/egress.ts';
import { resolveHost } from '../../src/egress/resolve-host.ts';
import { trust } from '../../src/egress/tls.ts';

const allow = ['127.0.0.0/8', '::1/128'].map(parseAllowedRange);

/** The guarded way out to receivers on this machine whose certificates that authority issued. */
export const localEgress = (
  { caFile }: Pick<Authority, 'caFile'>,
  connectTimeoutMs: number,
): Egress =>
  openEgress({
    policy: { allow, only443: false },
    resolve: resolveHost,
    tls: trust(caFile),
    connectTimeoutMs,
  });
