import type { EgressRequest, EgressResponse } from './exchange/egress-request.ts';
import { exchange } from './exchange/exchange.ts';
import { type ConnectOptions, guardedConnect } from './guarded-connect.ts';
import { openPools } from './pools.ts';

/**
 * Sends requests to receivers, only to allowed addresses and within limits of time and memory.
 * Redirects are not followed.
 */
export interface Egress {
  /** Sends one request to a receiver. @throws EgressError and nothing else. */
  request(request: EgressRequest): Promise<EgressResponse>;
  close(): Promise<void>;
}

/**
 * Opens the HTTP client for requests to receivers.
 * @param options `poolsMax`: maximum number of connection pools, 1024 by default.
 */
export const openEgress = (options: ConnectOptions & { poolsMax?: number }): Egress => {
  const pools = openPools(guardedConnect(options), options.poolsMax ?? 1024);
  return {
    request: (request) => exchange(pools.of(request.endpointId, request.url.origin), request),
    close: () => pools.close(),
  };
};
