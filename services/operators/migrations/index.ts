import type { MigrationList } from '@pto/database';
import { access } from './20261126060000_access.ts';
import { sessions } from './20261127120000_sessions.ts';
import { portal } from './20261128090000_portal.ts';
import { requests } from './20261128100000_requests.ts';
import { requestErrors } from './20261128110000_request_errors.ts';
import { auditFilters } from './20261128120000_audit_filters.ts';
import { signIns } from './20261128130000_sign_ins.ts';
import { cells } from './20261128140000_cells.ts';
import { moves } from './20261128150000_moves.ts';
import { gatewayRights } from './20261129180000_gateway_rights.ts';

/** All migrations of the database `access`, in the order of their names. */
export const migrations: MigrationList = [
  access,
  sessions,
  portal,
  requests,
  requestErrors,
  auditFilters,
  signIns,
  cells,
  moves,
  gatewayRights,
];
