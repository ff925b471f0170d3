import type { IPv4, IPv6 } from 'ipaddr.js';

/** One opt-in: these addresses, on this port or on any. */
export interface AllowedRange {
  readonly range: readonly [IPv4 | IPv6, number];
  readonly port: number | undefined;
}

/** What a request may reach beyond the public Internet, and what it may not even there. */
export interface EgressPolicy {
  readonly allow: readonly AllowedRange[];
  /** In production nothing but port 443 is reached, unless an opt-in covers address and port. */
  readonly only443: boolean;
}
