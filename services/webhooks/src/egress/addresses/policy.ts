import type { IPv4, IPv6 } from 'ipaddr.js';

/** Addresses that may be reached although they are not public; without `port` on any port. */
export interface AllowedRange {
  readonly range: readonly [IPv4 | IPv6, number];
  readonly port: number | undefined;
}

/** Settings of the check of addresses and ports: requests reach public addresses only. */
export interface EgressPolicy {
  /** Ranges that are allowed although they are not public (WEBHOOKS_EGRESS_ALLOW). */
  readonly allow: readonly AllowedRange[];
  /**
   * True in production: only port 443 is allowed, except for address and port of an `allow` entry.
   */
  readonly only443: boolean;
}
