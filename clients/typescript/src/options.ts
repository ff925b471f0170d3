import { NotSentError } from './errors.ts';
import type { SandboxScenario } from './types.ts';

export interface ClientOptions {
  /** The base URL of the API; it ends in `/api/partner/v1`. */
  readonly baseUrl: string;
  /** API key, `svc_live_…` or `svc_test_…`. Errors of this package never contain it. */
  readonly apiKey: string;
  /**
   * Permits `http:` to hosts other than this one, where every network in between can read the key:
   * for tests within a cluster. False by default.
   */
  readonly allowInsecure?: boolean;
  /**
   * Function that sends the requests; the platform's `fetch` by default. A request to this machine
   * takes no proxy then.
   */
  readonly fetch?: typeof fetch;
  /** Name and version of your program, appended to the `User-Agent` header. */
  readonly userAgent?: string;
  /** Default limits of all calls; the options of a call override them. */
  readonly limits?: Partial<Limits>;
}

export interface Limits {
  /** Maximum number of requests that one call sends: 4 by default. */
  readonly attemptsMax: number;
  /** Maximum time of one request with its response, in milliseconds: 30,000 by default. */
  readonly attemptTimeoutMs: number;
  /** Maximum time of a call with all its attempts and waits, in milliseconds: 90,000 by default. */
  readonly totalTimeoutMs: number;
}

export interface CallOptions extends Partial<Limits> {
  /** Ends the call; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /**
   * `Idempotency-Key` of all attempts of this call; a new UUID by default. The service stores the
   * response to a key for 24 hours.
   */
  readonly idempotencyKey?: string;
}

export interface OrderCreateOptions extends CreateOptions {
  /**
   * Sandbox only: the courier moves the order by this scenario. `sandbox.steps` shows its run; the
   * run is null if the courier was unavailable. Production ignores it.
   */
  readonly sandboxCourier?: SandboxScenario;
  /** Sandbox only: the time before each step of the courier, such as `1s`; `30s` by default. */
  readonly sandboxStep?: string;
}

/**
 * Default limits. The total time exceeds the longest `Retry-After` of a 429, 60 s (decision 57).
 */
export const defaultLimits: Limits = {
  attemptsMax: 4,
  attemptTimeoutMs: 30_000,
  totalTimeoutMs: 90_000,
};

/**
 * Returns the default limits with the given ones over them; later layers override earlier ones.
 * @throws NotSentError for a limit that is not positive or is too large for a timer.
 */
export const limitsOf = (...layers: (Partial<Limits> | undefined)[]): Limits => {
  const limits = { ...defaultLimits };
  for (const layer of layers)
    for (const name of Object.keys(defaultLimits) as (keyof Limits)[])
      limits[name] = layer?.[name] ?? limits[name];
  for (const [name, value] of Object.entries(limits))
    if (!(value > 0 && value < 2 ** 31))
      throw new NotSentError(`${name}: ${String(value)} is not a positive number`);
  return limits;
};
