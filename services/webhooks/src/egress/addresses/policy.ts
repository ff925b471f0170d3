import type { IPv4, IPv6 } from 'ipaddr.js';

/**
 * Addresses that requests may reach although they are not public, on `port`; if `port` is
 * undefined, on any port.
 */
export interface AllowedRange {
  readonly range: readonly [IPv4 | IPv6, number];
  readonly port: number | undefined;
}

/** Which addresses and ports requests may reach: public addresses, and those of `allow`. */
export interface EgressPolicy {
  /** Ranges that are allowed although they are not public (WEBHOOKS_EGRESS_ALLOW). */
  readonly allow: readonly AllowedRange[];
  /**
   * True in production: requests may only use port 443, except for the addresses and ports of
   * `allow`.
   */
  readonly only443: boolean;
}
