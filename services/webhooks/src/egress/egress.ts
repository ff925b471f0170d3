import { type buildConnector, Pool } from 'undici';
import { type EgressRequest, type EgressResponse, exchange } from './exchange.ts';
import { type ConnectOptions, guardedConnect } from './guarded-connect.ts';

/**
 * Sends requests to receivers, only to allowed addresses and within limits of time and memory.
 * Redirects are not followed.
 */
export interface Egress {
  /** Sends one request to a receiver. @throws EgressError and nothing else. */
  request(request: EgressRequest): Promise<EgressResponse>;
  close(): Promise<void>;
}

/** Opens the HTTP client for requests to receivers. */
export const openEgress = (options: ConnectOptions): Egress => {
  const pools = openPools(guardedConnect(options));
  // a connection belongs to the certificate of its handshake
  options.tls.onRenewal(pools.renew);
  return {
    request: (request) => exchange(pools.of(request.endpointId, request.url.origin), request),
    close: () => pools.close(),
  };
};

/**
 * undici closes an idle connection after `keepAliveMs`. If the receiver sends a `Keep-Alive`
 * timeout, undici closes the connection 2 s before that timeout, at the latest after
 * `keepAliveMaxMs`. Many receivers send no such header and close an idle connection after 5 s.
 */
const keepAliveMs = 4000;
const keepAliveMaxMs = 60_000;

/**
 * Maximum number of pools. If a further pool is opened, the least recently used pool is closed after
 * its in-flight requests.
 */
const poolsMax = 1024;

/**
 * Opens connection pools per endpoint and origin. Endpoints on one host share no connection: an
 * unsolicited response on an idle connection cannot become the response to another endpoint's
 * request.
 */
const openPools = (connect: buildConnector.connector) => {
  const pools = new Map<string, Pool>(); // least recently used first
  return {
    /** @param origin such as `https://example.com:8443`. */
    of: (endpointId: string, origin: string): Pool => {
      const name = `${endpointId} ${origin}`;
      const pool = pools.get(name) ?? new Pool(origin, poolOptions(connect));
      pools.delete(name);
      pools.set(name, pool);
      if (pools.size > poolsMax) {
        const [oldest, unused] = pools.entries().next().value!;
        pools.delete(oldest);
        unused.close().catch(() => {});
      }
      return pool;
    },
    /** Closes the present connections, each after its in-flight request. */
    renew: (): void => {
      for (const pool of pools.values()) pool.close().catch(() => {});
      pools.clear();
    },
    close: async (): Promise<void> => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
};

/**
 * Each in-flight request has its own connection, so that no request waits for another; the callers
 * bound the number of requests. undici's timeouts are off: exchange.ts limits the complete request.
 * A timeout between two bytes would never end a receiver that sends one byte at a time.
 */
const poolOptions = (connect: buildConnector.connector): Pool.Options => ({
  connect,
  connections: null,
  pipelining: 1,
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: keepAliveMs,
  keepAliveMaxTimeout: keepAliveMaxMs,
});
