import { sqlMigration } from '@pto/database';

/** Handovers, conditions and their artifacts (decision 71). */
export const evidence = sqlMigration('20261127070000_evidence', [
  `alter table orders
    -- JSON objects of methods by stage
    add column required_evidence text,
    add column recorded_evidence text,
    -- JSON array; null before the order is sealed
    add column seal_ids text,
    -- degrees Celsius
    add column temperature_min numeric(6, 2),
    add column temperature_max numeric(6, 2)`,
  `create table artifacts (
    order_id uuid not null references orders (id),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    media_type text not null,
    -- the number of the custody entry that names the artifact; null until the entry is committed
    sequence int check (sequence > 0),
    -- a picture, signature or document: erased with the order's personal data
    personal boolean not null,
    -- from then on, the file is not served, and is erased
    expires_at timestamptz not null,
    primary key (order_id, sha256)
  )`,
  'create index artifacts_expiry on artifacts (expires_at)',
]);
