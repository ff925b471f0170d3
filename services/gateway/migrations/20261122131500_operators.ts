import { sqlMigration } from '@pto/database';

/**
 * Returns a statement that runs `statement` for each role, other than the owner, with rights on the
 * table; `%I` in `statement` is the role.
 */
const forGrantees = (table: string, except: string, statement: string): string =>
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = '${table}' and g.grantee <> current_user and g.grantee not like '${except}'
      loop
        execute format('${statement}', grantee);
      end loop;
    end $$`;

/** The rights of the operator gateway's role; no other role gets these (decision 59). */
const operatorRights = [
  'select, insert on organizations',
  'update (enabled, admins) on organizations',
  'select, insert, update on api_keys',
  'select, insert on operator_tokens',
  'update (last_used_at, revoked_at, revoked_by) on operator_tokens',
  'select, insert on operators',
  'update (name, roles, last_seen_at, blocked_at, blocked_by) on operators',
  'select, insert on operator_actions, operator_outcomes',
];

/**
 * Operators' identities and the log of their actions (decision 59). The log is append-only: for
 * every role by grants, for the owner by triggers. The partners' gateway keeps the right to read
 * organizations and keys and to note a key's last use.
 */
export const operators = sqlMigration('20261122131500_operators', [
  `do $$
    begin
      if not exists (select from pg_roles where rolname = current_database() || '_operators') then
        raise exception 'the role %_operators does not exist', current_database()
          using hint = 'give the Job ADMIN_DATABASE_URL and OPERATORS_DATABASE_URL once, or create the role';
      end if;
    end $$`,
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
  ...['operator_tokens', 'operators', 'operator_actions', 'operator_outcomes'].map((table) =>
    forGrantees(table, '%\\_reader', `revoke all on ${table} from %I`),
  ),
  ...['organizations', 'api_keys'].map((table) =>
    forGrantees(
      table,
      '%\\_reader',
      `revoke insert, update, delete, truncate, references, trigger on ${table} from %I`,
    ),
  ),
  forGrantees('api_keys', '%\\_reader', 'grant update (last_used_at) on api_keys to %I'),
  ...operatorRights.map(
    (right) =>
      `do $$ begin execute format('grant ${right} to %I', current_database() || '_operators'); end $$`,
  ),
]);
