import type { MigrationList } from '@pto/database';
import { webhooks } from './20261126080000_webhooks.ts';
import { rehearsal } from './20261127110000_rehearsal.ts';
import { replays } from './20261127170000_replays.ts';
import { exhaustedEndpoints } from './20261127180000_exhausted_endpoints.ts';
import { organizationKeys } from './20261128030000_organization_keys.ts';
import { moves } from './20261128050000_moves.ts';
import { moveFences } from './20261128130000_move_fences.ts';
import { resumedEndpoints } from './20261129020000_resumed_endpoints.ts';
import { deletedEndpoints } from './20261129120000_deleted_endpoints.ts';

/** All migrations, in the order of their names. */
export const migrations: MigrationList = [
  webhooks,
  rehearsal,
  replays,
  exhaustedEndpoints,
  organizationKeys,
  moves,
  moveFences,
  resumedEndpoints,
  deletedEndpoints,
];
