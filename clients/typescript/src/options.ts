export interface ClientOptions {
  /** The base URL of the API; it ends in `/api/partner/v1`. */
  readonly baseUrl: string;
  /** `svc_live_…` or `svc_test_…`. Errors and logs of this package never contain it. */
  readonly apiKey: string;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: typeof fetch;
  /** Added to the `User-Agent`: the name and version of your program. */
  readonly userAgent?: string;
  /** Limits of all calls; a call may have others. */
  readonly limits?: Partial<Limits>;
}

export interface Limits {
  /** Maximum number of requests that one call sends: 4 by default. */
  readonly attemptsMax: number;
  /** Maximum time of one request with its response, in milliseconds: 15,000 by default. */
  readonly attemptTimeoutMs: number;
  /** Maximum time of a call with all its attempts and waits, in milliseconds: 90,000 by default. */
  readonly totalTimeoutMs: number;
}

export interface CallOptions extends Partial<Limits> {
  /** Ends the call; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The total exceeds 60 s, the longest `Retry-After` of a 429 (decision 57). */
export const defaultLimits: Limits = {
  attemptsMax: 4,
  attemptTimeoutMs: 15_000,
  totalTimeoutMs: 90_000,
};

/** @throws RangeError for a limit that is not a positive number. */
export const limitsOf = (...layers: (Partial<Limits> | undefined)[]): Limits => {
  const limits = { ...defaultLimits };
  for (const layer of layers)
    for (const name of Object.keys(defaultLimits) as (keyof Limits)[])
      limits[name] = layer?.[name] ?? limits[name];
  for (const [name, value] of Object.entries(limits))
    if (!(value > 0 && value < 2 ** 31)) throw new RangeError(`${name}: ${value} is not positive`);
  return limits;
};
