import type { Authority } from '@pto/testing';
import {
  type Egress,
  openEgress,
  parseAllowedRange,
  resolveHost,
  trust,
} from '../../src/egress/index.ts';

const allow = ['127.0.0.0/8', '::1/128'].map(parseAllowedRange);

/** The guarded way out to receivers on this machine whose certificates that authority issued. */
export const localEgress = (
  { caFile }: Pick<Authority, 'caFile'>,
  connectTimeoutMs: number,
): Egress =>
  openEgress({
    policy: { allow, only443: false },
    resolve: resolveHost,
    secureContext: trust(caFile),
    connectTimeoutMs,
  });
