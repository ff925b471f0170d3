import { sqlMigration } from '@pto/database';

/** The idempotency keys of creations. A key is deleted with its endpoint. */
export const endpointCreations = sqlMigration('20261126050000_endpoint_creations', [
  `create table endpoint_creations (
    endpoint_id uuid primary key references endpoints on delete cascade,
    organization_id uuid not null,
    key text not null,
    body_sha256 bytea not null,
    -- without the secret; null until the handshake has ended
    response text,
    -- when the request that stores the response ends
    finish_by timestamptz not null,
    created_at timestamptz not null default now(),
    constraint endpoint_creation_of_key unique (organization_id, key)
  )`,
]);
