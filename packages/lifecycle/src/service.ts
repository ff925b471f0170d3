import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Rejects with the reason while a dependency is unavailable. */
export type Check = () => Promise<void>;

/**
 * Returns a check that always passes after it has passed once. Use it for a process that can
 * respond to its callers while a store is unavailable: without this function, an outage of the
 * store would make all replicas unready, and no process would respond.
 */
export const untilHeld = (check: Check): Check => {
  let held = false;
  return async () => {
    if (!held) await check();
    held = true;
  };
};

/** A started service, created from its settings alone in production and in tests. */
export interface Service {
  /**
   * Readiness checks by name: the dependencies without which the service can answer no caller. A
   * store that only background work needs must not be included, because its outage would make all
   * replicas unready.
   */
  readonly checks: Readonly<Record<string, Check>>;
  /** Resolves if the service can no longer work and must be restarted. */
  readonly crashed?: Promise<Error>;
  /** Waits for the work in progress, then closes the stores. */
  stop(): Promise<void>;
}

/**
 * Returns the promise's value.
 * @throws Error naming `what` if the promise takes longer than `ms`. A response that arrived while
 *   this process was busy is still read: timers run before sockets, so the timeout lets the sockets
 *   run once.
 */
export const within = async <T>(ms: number, what: string, promise: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const end = () => reject(new Error(`${what} took longer than ${ms} ms`));
    timer = setTimeout(() => setImmediate(end), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Starts listening. Rejects with the server's error.
 * @returns the port; for port 0 the port that the system assigned.
 */
export const listening = async (server: Server, port: number, host: string): Promise<number> => {
  await once(server.listen(port, host), 'listening');
  return (server.address() as AddressInfo).port;
};
