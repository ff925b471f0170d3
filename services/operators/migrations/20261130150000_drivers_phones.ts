import { shortMigration } from '@pto/database';
import { rights } from './20261129180000_access.ts';

/** Phones of drivers and their sessions (decisions 84 and 85), and drivers in the audit log. */
export const driversPhones = shortMigration('20261130150000_drivers_phones', [
  `create table driver_devices (
    -- UUIDv7
    id uuid primary key,
    driver_id uuid not null references drivers,
    -- a point of P-256 in base64url; the private key never leaves the phone
    key text not null unique,
    bound_at timestamptz not null default clock_timestamp(),
    revoked_at timestamptz,
    revoked_from timestamptz
  )`,
  'create index driver_devices_of_driver on driver_devices (driver_id, id)',
  `create table driver_sessions (
    -- UUIDv7
    id uuid primary key,
    driver_id uuid not null references drivers,
    device_id uuid references driver_devices,
    -- SHA-256 of the link's code and of the session's secret, which are stored nowhere
    code_hash bytea not null unique check (octet_length(code_hash) = 32),
    hash bytea unique check (octet_length(hash) = 32),
    opens_until timestamptz not null,
    opened_at timestamptz,
    expires_at timestamptz not null
  )`,
  'create index driver_sessions_of_driver on driver_sessions (driver_id)',
  'create index driver_sessions_by_end on driver_sessions (expires_at)',
  'alter table operator_actions drop constraint operator_actions_credential_check',
  `alter table operator_actions add constraint operator_actions_credential_check
    check (credential in ('token', 'oidc', 'owner', 'device')) not valid`,
  // the service's role has rights on every new table by default
  rights('revoke', 'all on driver_devices, driver_sessions', 'service'),
  rights(
    'grant',
    'select, insert, update (revoked_at, revoked_from) on driver_devices',
    'operators',
  ),
  rights(
    'grant',
    'select, insert, delete, update (device_id, hash, opened_at, expires_at) on driver_sessions',
    'operators',
  ),
]);
