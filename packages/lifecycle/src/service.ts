import type { AddressInfo, Server } from 'node:net';

/** Rejects with the reason while a dependency is unavailable. */
export type Check = () => Promise<void>;

/**
 * Returns a check that passes for good once it has passed. For a process that responds to its callers
 * itself while a store is unavailable: without ready replicas nobody would.
 */
export const untilHeld = (check: Check): Check => {
  let held = false;
  return async () => {
    if (!held) await check();
    held = true;
  };
};

/** A started service: made from its settings alone, in production as in a test. */
export interface Service {
  /**
   * What readiness follows, by name: without it no caller can be answered. A store that only work in
   * the background needs is not among them, or its outage would take all replicas from their callers.
   */
  readonly checks: Readonly<Record<string, Check>>;
  /** Resolves if the service can no longer work and must be started again. */
  readonly crashed?: Promise<Error>;
  /** Finishes what is in flight, then closes the stores. */
  stop(): Promise<void>;
}

/** The promise's value, or an error naming what took longer than allowed. */
export const within = async <T>(ms: number, what: string, promise: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Starts listening. @returns the port, a free one for port 0. */
export const listening = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
