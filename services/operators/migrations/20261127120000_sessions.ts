import { sqlMigration } from '@pto/database';

/**
 * Operators' sessions of the console, each derived from a credential and ended with it (decision
 * 59). The role of the gateway has no right on them.
 */
export const sessions = sqlMigration('20261127120000_sessions', [
  `create table operator_sessions (
    -- UUIDv7
    id uuid primary key,
    -- SHA-256 of the session's secret; the secret itself is stored nowhere
    hash bytea not null unique check (octet_length(hash) = 32),
    -- the id of the personal token, or of the person
    operator_id uuid not null,
    operator_name text not null,
    roles text[] not null,
    credential text not null check (credential in ('token', 'oidc')),
    started_at timestamptz not null default clock_timestamp(),
    -- to the minute
    last_used_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
  )`,
  'create index operator_sessions_of_operator on operator_sessions (operator_id)',
  `do $$ begin
    execute format('revoke all on operator_sessions from %I', current_database() || '_service');
    execute format('grant select, insert, delete, update (last_used_at) on operator_sessions to %I',
      current_database() || '_operators');
  end $$`,
]);
