import { sqlMigration } from '@pto/database';

export const access = sqlMigration('20261121090000_access', [
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
    writes_per_minute int
  )`,
  'create index api_keys_of_organization on api_keys (organization_id, id)',
]);
