import { sqlMigration } from '@pto/database';

/** The database of release 1.1.0: the only table of the service. */
export const baseline = sqlMigration('20261129180000_courier', [
  `create table runs (
    order_id uuid primary key,
    organization_id uuid not null,
    -- the scenario's name, or script
    plan text not null,
    -- JSON: an array of steps; those that were taken, and all of a run that is over, have no notes
    steps text not null,
    -- number of the steps that were taken
    position int not null default 0,
    -- when the next step is due, or the lease of a process ends; null: the run is over
    due_at timestamptz,
    -- a value of its own for each claim, so that a process whose lease has ended records nothing
    lease uuid,
    -- claims of the step at this position
    tries int not null default 0,
    -- the order's sequence before the command of the step at this position; null: not sent yet
    begun_at_sequence int,
    -- why the run ended before its last step
    reason text,
    updated_at timestamptz not null default now()
  )`,
  // what a claim reads: the organizations of due runs, and the due runs of each
  'create index runs_due on runs (due_at, organization_id) where due_at is not null',
  'create index runs_turns on runs (organization_id, due_at) where due_at is not null',
  'create index runs_over on runs (updated_at) where due_at is null',
]);
