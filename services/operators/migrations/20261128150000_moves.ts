import { sqlMigration } from '@pto/database';

/**
 * Moves of organizations between cells. While `is_moving`, a gateway looks the organization's cell
 * up for each request. The role of the gateway has no right on the moves.
 */
export const moves = sqlMigration('20261128150000_moves', [
  'alter table organizations add column is_moving boolean not null default false',
  `create table organization_moves (
    -- UUIDv7
    id uuid primary key,
    organization_id uuid not null references organizations,
    source text not null,
    target text not null check (target <> source),
    phase text not null check (phase in ('COPYING', 'HOLDING', 'SWITCHED', 'RETIRING', 'CANCELLING',
      'MOVED', 'CANCELLED')),
    started_by text not null,
    started_at timestamptz not null default clock_timestamp(),
    copies int not null default 0,
    copied_rows bigint not null default 0,
    -- the marks at which the last copy began, by service, as JSON
    marks text not null default '{}',
    tries int not null default 0,
    held_ms int,
    waits_for text,
    failure text,
    cancel_requested boolean not null default false,
    -- the try that runs: a later one has a greater token, in the services as well
    token bigint not null default 0,
    leased_until timestamptz not null default '-infinity',
    next_try_at timestamptz not null default '-infinity',
    switched_at timestamptz,
    ended_at timestamptz,
    check ((ended_at is not null) = (phase in ('MOVED', 'CANCELLED')))
  )`,
  `create unique index organization_moves_running on organization_moves (organization_id)
    where ended_at is null`,
  'create index organization_moves_of_organization on organization_moves (organization_id, id)',
  'create sequence move_tokens',
  `do $$ begin
    execute format('revoke all on organization_moves from %I', current_database() || '_service');
    execute format('revoke all on sequence move_tokens from %I', current_database() || '_service');
    execute format('grant update (cell, is_moving) on organizations to %I',
      current_database() || '_operators');
    execute format('grant select, insert, update on organization_moves to %I',
      current_database() || '_operators');
    execute format('grant usage on sequence move_tokens to %I', current_database() || '_operators');
  end $$`,
]);
