import { shortMigration } from '@pto/database';
import { rights } from './20261129180000_access.ts';

/**
 * Rotations by partners with an idempotency key, for a day. The new key follows from the caller's
 * secret, the idempotency key and `seed`; none of them is a key, and no two of them tell it.
 */
export const keyRotations = shortMigration('20261130110000_key_rotations', [
  `create table key_rotations (
    organization_id uuid not null references organizations,
    idempotency_key text not null check (char_length(idempotency_key) between 1 and 255),
    body_sha256 bytea not null,
    replaced_id uuid not null references api_keys,
    issued_id uuid not null references api_keys,
    seed bytea not null check (octet_length(seed) = 32),
    rotated_at timestamptz not null default clock_timestamp(),
    primary key (organization_id, idempotency_key)
  )`,
  'create index key_rotations_oldest on key_rotations (rotated_at)',
  // the service's role has rights on every new table by default
  rights('revoke', 'all on key_rotations', 'service'),
  rights('grant', 'select, insert, delete on key_rotations', 'operators'),
]);
