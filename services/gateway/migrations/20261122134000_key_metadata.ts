import { sqlMigration } from '@pto/database';

export const keyMetadata = sqlMigration('20261122134000_key_metadata', [
  `alter table api_keys
    -- chosen by the operator; null: none (decision 60)
    add column name text check (char_length(name) between 1 and 100),
    -- client addresses that may use the key; null: any address (decision 60)
    add column allowed_cidrs text[] check (cardinality(allowed_cidrs) between 1 and 50)`,
]);
