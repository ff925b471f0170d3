import { sqlMigration } from '@pto/database';

/** The only table of the service. */
export const courier = sqlMigration('20261127100000_courier', [
  `create table runs (
    order_id uuid primary key,
    organization_id uuid not null,
    -- the scenario's name, or script
    plan text not null,
    -- JSON: an array of steps
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
  'create index runs_due on runs (due_at) where due_at is not null',
  'create index runs_over on runs (updated_at) where due_at is null',
]);
