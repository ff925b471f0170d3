import { sqlMigration } from '@pto/database';

/** Removes the notes of steps that were taken, and of runs that are over. */
export const erasedNotes = sqlMigration('20261129130000_erased_notes', [
  `update runs set steps = (
    select jsonb_agg(
      case when step->>'kind' in ('incident', 'escalation')
          and (runs.due_at is null or nth <= runs.position)
        then jsonb_set(step, '{value}', '""') else step end
      order by nth)::text
    from jsonb_array_elements(runs.steps::jsonb) with ordinality as each (step, nth)
  ) where due_at is null or position > 0`,
]);
