import { sqlMigration } from '@pto/database';

/** What stays of a deleted endpoint while its deliveries are stored (decision 80). */
export const deletedEndpoints = sqlMigration('20261129120000_deleted_endpoints', [
  `create table deleted_endpoints (
    organization_id uuid not null,
    id uuid not null,
    address text not null,
    deleted_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  'create index deleted_endpoints_oldest on deleted_endpoints (deleted_at)',
]);
