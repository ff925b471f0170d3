import { type buildConnector, Pool } from 'undici';

/**
 * Kept connections per endpoint and receiver, for those used last. Endpoints on one host share none:
 * what a receiver sends unasked on a kept connection cannot become another endpoint's response.
 */
export interface Pools {
  /** @param origin such as `https://example.com:8443`. */
  of(endpointId: string, origin: string): Pool;
  close(): Promise<void>;
}

/** Unless the receiver says how long; many close an idle connection after 5 s, and say nothing. */
const keepAliveMs = 4000;
const keepAliveMaxMs = 60_000;

/** @param poolsMax beyond it the pool unused for longest is closed, once its requests ended. */
export const openPools = (connect: buildConnector.connector, poolsMax: number): Pools => {
  const pools = new Map<string, Pool>(); // in order of use
  return {
    of: (endpointId, origin) => {
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
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
};

/**
 * As many connections as requests in flight, whose number the callers bound: a shared one would
 * let one endpoint wait for another on the same host. Time is kept by each request as a whole,
 * since a dripping receiver never trips a timeout between two bytes.
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
