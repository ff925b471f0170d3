import { boundedRotation, dailyPartitions, sqlMigration } from '@pto/database';

/** A role of the database, as `provision` of @pto/database names it. */
type Role = 'service' | 'operators';

/** Returns a statement that gives or takes rights. A grant to a role that does not exist fails. */
export const rights = (verb: 'grant' | 'revoke', what: string, role: Role): string => {
  const direction = verb === 'grant' ? 'to' : 'from';
  return `do $$ begin
    execute format('${verb} ${what} ${direction} %I', current_database() || '_${role}');
  end $$`;
};

const requireOperatorsRole = `do $$
  begin
    if not exists (select from pg_roles where rolname = current_database() || '_operators') then
      raise exception 'the role %_operators does not exist', current_database()
        using hint = 'give the Job ADMIN_DATABASE_URL and OPERATORS_DATABASE_URL once, or create the role';
    end if;
  end $$`;

/** Organizations and their keys. */
const organizations = [
  `create table organizations (
    id uuid primary key,
    name text not null,
    enabled boolean not null,
    -- administrators' e-mail addresses
    admins text[] not null,
    -- whose services have the organization's orders, ledger and endpoints
    cell text not null default 'main',
    -- while true, a gateway looks the cell up for each request
    is_moving boolean not null default false,
    created_at timestamptz not null default now()
  )`,
  `create table api_keys (
    id uuid primary key,
    organization_id uuid not null references organizations,
    -- SHA-256 of the key; the key itself is nowhere (decision 16)
    hash bytea not null unique,
    last4 text not null,
    -- chosen by the operator; null: none (decision 60)
    name text check (char_length(name) between 1 and 100),
    scopes text[] not null,
    -- client addresses that may use the key; null: any address (decision 60)
    allowed_cidrs text[] check (cardinality(allowed_cidrs) between 1 and 50),
    -- null: the gateway's own limit
    reads_per_minute int,
    writes_per_minute int,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    -- the key that a rotation put in its place
    replaced_by uuid
  )`,
  'create index api_keys_of_organization on api_keys (organization_id, id)',
];

/**
 * Links to the portal and their sessions (decision 69), and the view in which the gateway finds keys
 * and sessions by their hash.
 */
const portal = [
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
];

/** Operators' identities (decision 59). */
const operators = [
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
  // sign-ins with OpenID that have started a session of the console: each starts one
  `create table operator_sign_ins (
    -- SHA-256 of the nonce that the console chose for the sign-in; of an ID token without one
    hash bytea primary key check (octet_length(hash) = 32),
    -- the row is removed later
    ends_at timestamptz not null
  )`,
  'create index operator_sign_ins_by_end on operator_sign_ins (ends_at)',
  // sessions of the console, each derived from a credential and ended with it
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
];

/**
 * The log of operators' actions (decision 59). It is append-only: for every role by grants, for the
 * owner by triggers.
 */
const auditLog = [
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
  // finds commands among many reads: the first page of a read has a fold_key, a command never
  'create index operator_actions_of_commands on operator_actions (id) where fold_key is null',
  `create table operator_outcomes (
    id bigint generated always as identity primary key,
    action_id uuid not null references operator_actions,
    at timestamptz not null default clock_timestamp(),
    -- ok, or the kind of failure
    outcome text not null,
    -- the id of what the action created; null: nothing
    created_id text,
    duration_ms int not null
  )`,
  'create index operator_outcomes_of_action on operator_outcomes (action_id, id)',
  `create index operator_outcomes_created on operator_outcomes (created_id, action_id)
    where created_id is not null`,
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
];

/** Moves of organizations between cells. */
const moves = [
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
    next_try_at timestamptz not null default '-infinity',
    switched_at timestamptz,
    ended_at timestamptz,
    check ((ended_at is not null) = (phase in ('MOVED', 'CANCELLED')))
  )`,
  `create unique index organization_moves_running on organization_moves (organization_id)
    where ended_at is null`,
  'create index organization_moves_of_organization on organization_moves (organization_id, id)',
  'create sequence move_tokens',
];

const tables = [
  ...['organizations', 'api_keys', 'portal_sessions', 'credentials'],
  ...['operator_tokens', 'operators', 'operator_sign_ins', 'operator_sessions'],
  ...['operator_actions', 'operator_outcomes', 'organization_moves'],
];

/**
 * What the role of the gateway reads of an organization: no mail addresses of administrators, which
 * the operators service gives to webhooks by an RPC.
 */
const gatewayReads = ['id', 'name', 'enabled', 'created_at', 'cell', 'is_moving'];

/**
 * The role of the gateway (`service`) finds organizations and credentials and notes their last use; the
 * role of this service has only the rights that are named here.
 */
const grants = [
  // the service's role has rights on every new table and sequence by default
  rights('revoke', `all on ${tables.join(', ')}`, 'service'),
  rights('revoke', 'all on sequence move_tokens', 'service'),
  ...[
    `select (${gatewayReads.join(', ')}) on organizations`,
    'select, update (last_used_at) on api_keys',
    'select (id, last_used_at), update (last_used_at) on portal_sessions',
    'select on credentials',
  ].map((right) => rights('grant', right, 'service')),
  ...[
    'select, insert, update (enabled, admins, cell, is_moving) on organizations',
    'select, insert, update on api_keys',
    'select, insert, delete, update (hash, opened_at) on portal_sessions',
    'select on credentials',
    'select, insert, update (last_used_at, revoked_at, revoked_by) on operator_tokens',
    'select, insert, update (name, roles, last_seen_at, blocked_at, blocked_by) on operators',
    'select, insert, delete on operator_sign_ins',
    'select, insert, delete, update (last_used_at) on operator_sessions',
    'select, insert on operator_actions, operator_outcomes',
    'select, insert, update on organization_moves',
    'usage on sequence move_tokens',
  ].map((right) => rights('grant', right, 'operators')),
];

/**
 * The log of the partners' requests. The gateway adds rows and reads them, this service reads them
 * and drops each day after a week; neither changes a row.
 */
const requests = [
  `create table requests (
    organization_id uuid not null,
    -- UUIDv7 of the request's arrival, by the gateway's clock
    id uuid not null,
    key_id uuid not null,
    -- the collation "C" halves the cost of the indexes
    method text collate "C" not null,
    -- below the base path, without the query
    path text not null check (char_length(path) <= 255),
    -- name of the operation; null: none matched
    operation text,
    -- 499: the client disconnected before the response
    status int not null,
    -- code of the error (contract 7)
    code text,
    -- Why a request was rejected: names of the contract, and never what the client sent. A line for
    -- each of at most 10 errors: its type, a space, its field.
    errors text collate "C" check (octet_length(errors) <= 2048),
    -- the scope that a 403 names
    required_scope text collate "C",
    -- X-Request-Id that the client chose; null: the response had "id"
    request_id text collate "C" check (char_length(request_id) <= 128),
    duration_ms int not null,
    -- number of later requests of the same minute that have no row
    left_out int,
    primary key (organization_id, id)
  ) partition by range (id)`,
  `create index requests_by_request_id on requests (organization_id, request_id, id)
    where request_id is not null`,
  'create index requests_by_outcome on requests (organization_id, method, status, id)',
  ...dailyPartitions({ requests: 'false' }),
  ...boundedRotation({ requests: 7 }, { onlyThroughParent: true }),
  // revokes the default rights on the partitions that exist
  "select rotate_daily_partitions('requests', 7, 7)",
  rights('revoke', 'all on requests', 'service'),
  rights('grant', 'select, insert on requests', 'service'),
  rights('grant', 'select on requests', 'operators'),
  ...[['revoke', 'service'] as const, ['grant', 'operators'] as const].map(([verb, role]) =>
    rights(verb, 'execute on function rotate_daily_partitions(text, int, int)', role),
  ),
];

/** The database of release 1.1.0. */
export const baseline = sqlMigration('20261129180000_access', [
  requireOperatorsRole,
  ...organizations,
  ...portal,
  ...operators,
  ...auditLog,
  ...moves,
  ...grants,
  ...requests,
]);
