import { shortMigration } from '@pto/database';
import { rights } from './20261129180000_access.ts';

const members = `-- UUIDv7
    id uuid primary key,
    name text not null,
    -- empty: none
    telephone text not null,
    active boolean not null default true`;

/** Records of carriers and their drivers, of all organizations and cells. Rows are never deleted. */
export const carriers = shortMigration('20261130042000_carriers', [
  `create table carriers (${members})`,
  'create unique index carriers_active on carriers (lower(name)) where active',
  `create table drivers (${members}, carrier_id uuid not null references carriers)`,
  'create unique index drivers_active on drivers (carrier_id, lower(name)) where active',
  // the service's role has rights on every new table by default
  rights('revoke', 'all on carriers, drivers', 'service'),
  rights(
    'grant',
    'select, insert, update (name, telephone, active) on carriers, drivers',
    'operators',
  ),
]);
