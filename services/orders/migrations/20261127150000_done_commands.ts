import { sqlMigration } from '@pto/database';

/** Ids of operators' commands that took effect, so that a repeated command has no second effect. */
export const doneCommands = sqlMigration('20261127150000_done_commands', [
  `create table done_commands (
    id uuid primary key,
    order_id uuid not null,
    request_sha256 bytea not null check (octet_length(request_sha256) = 32),
    -- what the response says besides the order, as JSON; without personal data
    outcome text,
    done_at timestamptz not null default clock_timestamp()
  )`,
  'create index done_commands_oldest on done_commands (done_at)',
  'create index done_commands_of_order on done_commands (order_id)',
]);
