import { sqlMigration } from '@pto/database';

/** A role of the database, as `provision` of @pto/database names it. */
type Role = 'service' | 'operators';

/** Returns a statement that gives or takes rights. A grant to a role that does not exist fails. */
const rights = (verb: 'grant' | 'revoke', what: string, role: Role): string => {
  const direction = verb === 'grant' ? 'to' : 'from';
  return `do $$ begin
    execute format('${verb} ${what} ${direction} %I', current_database() || '_${role}');
  end $$`;
};

const tables = [
  'organizations',
  'api_keys',
  'operator_tokens',
  'operators',
  'operator_actions',
  'operator_outcomes',
];

/**
 * Organizations and their keys, operators' identities and the log of their actions (decision 59).
 * The role of the gateway reads organizations and keys and notes a key's last use; the role of this
 * service has only the rights that are named here. The log is append-only: for every role by
 * grants, for the owner by triggers.
 */
export const access = sqlMigration('20261126060000_access', [
  `do $$
    begin
      if not exists (select from pg_roles where rolname = current_database() || '_operators') then
        raise exception 'the role %_operators does not exist', current_database()
          using hint = 'give the Job ADMIN_DATABASE_URL and OPERATORS_DATABASE_URL once, or create the role';
      end if;
    end $$`,
  `create table organizations (
    id uuid primary key,
    name text not null,
    enabled boolean not null,
    -- administrators' e-mail addresses
    admins text[] not null,
    created_at timestamptz not null default now()
  )`,
  `create table api_keys (
    id uuid primary key,
    organization_id uuid not null references organizations,
    -- SHA-256 of the key; the key itself is nowhere (decision 16)
    hash bytea not null unique,
    last4 text not null,
    scopes text[] not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    -- the key that a rotation put in its place
    replaced_by uuid,
    -- null: the gateway's own limit
    reads_per_minute int,
    writes_per_minute int,
    -- chosen by the operator; null: none (decision 60)
    name text check (char_length(name) between 1 and 100),
    -- client addresses that may use the key; null: any address (decision 60)
    allowed_cidrs text[] check (cardinality(allowed_cidrs) between 1 and 50)
  )`,
  'create index api_keys_of_organization on api_keys (organization_id, id)',
  `create table operator_tokens (
    id uuid primary key,
    name text not null,
    -- SHA-256 of the token; the token itself is stored nowhere
    hash bytea not null unique check (octet_length(hash) = 32),
    last4 text not null,
    roles text[] not null,
    created_at timestamptz not null default clock_timestamp(),
    -- the operator's name, or who else issued it
    created_by text not null,
    expires_at timestamptz not null,
    -- to the minute
    last_used_at timestamptz,
    revoked_at timestamptz,
    revoked_by text
  )`,
  // people who signed in with OpenID Connect
  `create table operators (
    id uuid primary key,
    issuer text not null,
    subject text not null,
    -- as the last token said
    name text not null,
    roles text[] not null,
    first_seen_at timestamptz not null default clock_timestamp(),
    -- to the minute
    last_seen_at timestamptz not null default clock_timestamp(),
    blocked_at timestamptz,
    blocked_by text,
    unique (issuer, subject)
  )`,
  `create table operator_actions (
    -- UUIDv7
    id uuid primary key,
    at timestamptz not null default clock_timestamp(),
    operator_id uuid not null,
    operator_name text not null,
    roles text[] not null,
    credential text not null check (credential in ('token', 'oidc', 'owner')),
    -- false: denied, as no role of the operator allows it
    allowed boolean not null,
    -- access.v1.AccessService/IssueKey
    rpc text not null,
    target text not null,
    -- the request as JSON, cut at 4 KiB
    request text not null check (octet_length(request) <= 4200),
    request_id text not null,
    client_address text not null,
    -- pages of one read have the same key, and are one row
    fold_key bytea unique
  )`,
  'create index operator_actions_of_operator on operator_actions (operator_id, id)',
  'create index operator_actions_on_target on operator_actions (target, id)',
  `create table operator_outcomes (
    id bigint generated always as identity primary key,
    action_id uuid not null references operator_actions,
    at timestamptz not null default clock_timestamp(),
    -- ok, or the kind of failure
    outcome text not null,
    duration_ms int not null
  )`,
  'create index operator_outcomes_of_action on operator_outcomes (action_id, id)',
  `create function reject_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception 'the log of operator actions is never changed or removed'
        using errcode = '42501';
    end $$`,
  ...['operator_actions', 'operator_outcomes'].map(
    (table) => `create trigger ${table}_are_append_only
      before update or delete or truncate on ${table}
      for each statement execute function reject_rewriting()`,
  ),
  // the service's role has rights on every new table by default
  rights('revoke', `all on ${tables.join(', ')}`, 'service'),
  rights('grant', 'select on organizations, api_keys', 'service'),
  rights('grant', 'update (last_used_at) on api_keys', 'service'),
  ...[
    'select, insert on organizations',
    'update (enabled, admins) on organizations',
    'select, insert, update on api_keys',
    'select, insert on operator_tokens',
    'update (last_used_at, revoked_at, revoked_by) on operator_tokens',
    'select, insert on operators',
    'update (name, roles, last_seen_at, blocked_at, blocked_by) on operators',
    'select, insert on operator_actions, operator_outcomes',
  ].map((right) => rights('grant', right, 'operators')),
]);
