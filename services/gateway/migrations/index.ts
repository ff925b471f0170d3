import type { MigrationList } from '@pto/database';
import { access } from './20261121090000_access.ts';
import { operators } from './20261122131500_operators.ts';
import { keyMetadata } from './20261122134000_key_metadata.ts';

/** All migrations of this service, in the order of their names. */
export const migrations: MigrationList = [access, operators, keyMetadata];
