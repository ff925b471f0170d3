import type { Health } from './verdict.ts';

/** SQL columns of `endpoints`, or of an alias of it, by which an endpoint's health is judged. */
export const healthColumns = (alias = 'endpoints'): string => `
  ${alias}.consecutive_failures, ${alias}.exhausted, ${alias}.warned_level,
  ${epochMs(`${alias}.failing_since`)} as failing_since_ms,
  ${epochMs(`greatest(${alias}.last_success_at, ${alias}.verified_at, ${alias}.created_at)`)}
    as last_well_ms,
  ${epochMs('clock_timestamp()')} as now_ms`;

export interface HealthRow {
  readonly consecutive_failures: number;
  readonly exhausted: number;
  readonly warned_level: number;
  readonly failing_since_ms: number | null;
  readonly last_well_ms: number;
  readonly now_ms: number;
}

export const toHealth = (row: HealthRow): Health => ({
  consecutiveFailures: row.consecutive_failures,
  failingSince: row.failing_since_ms,
  lastWellAt: row.last_well_ms,
  exhausted: row.exhausted,
});

const epochMs = (what: string): string => `(extract(epoch from ${what}) * 1000)::float8`;
