/** One attempt that counts for its endpoint's health. */
export interface CountedAttempt {
  readonly endpointId: string;
  /** Version of the URL that was called. A result of an older version does not count. */
  readonly urlVersion: number;
  readonly succeeded: boolean;
  readonly exhausted: boolean;
  readonly endedAt: Date;
}

/** The change of an endpoint's health by a batch of attempts. */
export interface HealthChange {
  readonly endpointId: string;
  readonly urlVersion: number;
  /**
   * Whether any attempt of the batch succeeded. If true, `failures` and `exhausted` count from the
   * last success on and replace the stored counts. If false, they are added to the stored counts.
   */
  succeeded: boolean;
  failures: number;
  exhausted: number;
  firstFailureAt: Date | null;
  lastFailureAt: Date | null;
  lastSuccessAt: Date | null;
}

/**
 * Returns one change per endpoint and URL version.
 * @param attempts in the order in which they ended.
 */
export const healthChanges = (attempts: readonly CountedAttempt[]): HealthChange[] => {
  const changes = new Map<string, HealthChange>();
  for (const attempt of attempts) {
    const { endpointId, urlVersion } = attempt;
    const key = `${endpointId} ${urlVersion}`;
    const change = changes.get(key) ?? unchanged(endpointId, urlVersion);
    changes.set(key, change);
    if (attempt.succeeded) succeed(change, attempt.endedAt);
    else fail(change, attempt);
  }
  return [...changes.values()];
};

const unchanged = (endpointId: string, urlVersion: number): HealthChange => ({
  endpointId,
  urlVersion,
  succeeded: false,
  failures: 0,
  exhausted: 0,
  firstFailureAt: null,
  lastFailureAt: null,
  lastSuccessAt: null,
});

const succeed = (change: HealthChange, at: Date): void => {
  change.succeeded = true;
  change.failures = 0;
  change.exhausted = 0;
  change.firstFailureAt = null;
  change.lastSuccessAt = at;
};

const fail = (change: HealthChange, attempt: CountedAttempt): void => {
  change.failures += 1;
  change.exhausted += attempt.exhausted ? 1 : 0;
  change.firstFailureAt ??= attempt.endedAt;
  change.lastFailureAt = attempt.endedAt;
};
