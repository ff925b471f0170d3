import { sqlMigration } from '@pto/database';

/**
 * Links to the portal and their sessions (decision 69), and the view in which the gateway finds keys
 * and sessions by their hash.
 */
export const portal = sqlMigration('20261128090000_portal', [
  `create table portal_sessions (
    -- UUIDv7
    id uuid primary key,
    organization_id uuid not null references organizations,
    -- the key that created the link; null: an operator did
    parent_id uuid references api_keys,
    -- SHA-256 of the link's one-time code
    code_hash bytea not null unique check (octet_length(code_hash) = 32),
    -- SHA-256 of the session's secret; null: the link was not opened
    hash bytea unique check (octet_length(hash) = 32),
    scopes text[] not null,
    read_only boolean not null,
    -- an endpoint of webhooks; null: no limit to one
    endpoint_id uuid,
    created_at timestamptz not null default clock_timestamp(),
    opens_until timestamptz not null,
    opened_at timestamptz,
    -- to the minute
    last_used_at timestamptz,
    expires_at timestamptz not null
  )`,
  'create index portal_sessions_of_organization on portal_sessions (organization_id, id)',
  'create index portal_sessions_of_key on portal_sessions (parent_id)',
  'create index portal_sessions_by_end on portal_sessions (expires_at)',
  // a session ends with its parent, and 30 min after its last use
  `create view credentials as
    select hash, id, organization_id, scopes, expires_at, revoked_at is not null as revoked,
      reads_per_minute, writes_per_minute, allowed_cidrs,
      false as is_session, null::uuid as parent_id, false as read_only, null::uuid as endpoint_id
    from api_keys
    union all
    select s.hash, s.id, s.organization_id, s.scopes,
      least(s.expires_at, p.expires_at,
        greatest(s.opened_at, s.last_used_at) + interval '30 minutes'),
      p.revoked_at is not null, p.reads_per_minute, p.writes_per_minute, p.allowed_cidrs,
      true, s.parent_id, s.read_only, s.endpoint_id
    from portal_sessions s left join api_keys p on p.id = s.parent_id
    where s.hash is not null`,
  `do $$ begin
    execute format('revoke all on portal_sessions, credentials from %I',
      current_database() || '_service');
    execute format('grant select on credentials to %1$I, %2$I',
      current_database() || '_service', current_database() || '_operators');
    execute format('grant select (id, last_used_at), update (last_used_at) on portal_sessions to %I',
      current_database() || '_service');
    execute format('grant select, insert, delete, update (hash, opened_at) on portal_sessions to %I',
      current_database() || '_operators');
  end $$`,
]);
