/** The value below which the share of the values lies; NaN of none. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** A round of operations that took these times. */
export const roundOf = (ms: readonly number[]) => ({
  operations: ms.length,
  p50Ms: percentile(ms, 0.5),
  p95Ms: percentile(ms, 0.95),
  p99Ms: percentile(ms, 0.99),
});
