import { sqlMigration } from '@pto/database';

/** Replays that operators named, so that a repeated request queues no second delivery. */
export const replays = sqlMigration('20261127170000_replays', [
  `create table named_replays (
    -- the id that the operator's request has
    command_id uuid primary key,
    replayed_id uuid not null,
    delivery_id uuid not null,
    created_at timestamptz not null default clock_timestamp()
  )`,
  'create index named_replays_oldest on named_replays (created_at)',
]);
