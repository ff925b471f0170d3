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
  readonly succeeded: boolean;
  readonly failures: number;
  readonly exhausted: number;
  readonly firstFailureAt: Date | null;
  /** Also of a failure before the last success. */
  readonly lastFailureAt: Date | null;
  readonly lastSuccessAt: Date | null;
}

/**
 * Returns one change per endpoint and URL version.
 * @param attempts in the order in which they ended.
 */
export const healthChanges = (attempts: readonly CountedAttempt[]): HealthChange[] => {
  const groups = Map.groupBy(attempts, (one) => `${one.endpointId} ${one.urlVersion}`);
  return [...groups.values()].map((group) => {
    const { endpointId, urlVersion } = group[0]!;
    const lastSuccess = group.findLastIndex(({ succeeded }) => succeeded);
    const failed = group.slice(lastSuccess + 1);
    return {
      endpointId,
      urlVersion,
      succeeded: lastSuccess >= 0,
      failures: failed.length,
      exhausted: failed.filter(({ exhausted }) => exhausted).length,
      firstFailureAt: failed[0]?.endedAt ?? null,
      lastFailureAt: group.findLast(({ succeeded }) => !succeeded)?.endedAt ?? null,
      lastSuccessAt: group[lastSuccess]?.endedAt ?? null,
    };
  });
};
