import { clockTimestamp, fragment } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { Health } from './verdict.ts';

const epochMs = <Time>(what: Time) =>
  fragment<number>`(extract(epoch from ${what}) * 1000)::float8`;

/** Selects the columns by which an endpoint's health is judged. Add a condition on `e`. */
export const selectHealth = tables
  .selectFrom('endpoints as e')
  .select(({ fn, ref }) => [
    'e.consecutive_failures',
    'e.exhausted',
    'e.warned_level',
    epochMs(ref('e.failing_since')).$castTo<number | null>().as('failing_since_ms'),
    epochMs(fn('greatest', ['e.last_success_at', 'e.verified_at', 'e.created_at'])).as(
      'last_well_ms',
    ),
    epochMs(clockTimestamp).as('now_ms'),
  ]);

/** The columns of `selectHealth` as SQL text. */
export const healthSql = ((): string => {
  const { sql } = selectHealth.compile();
  return sql.slice('select '.length, sql.lastIndexOf(' from '));
})();

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
