import type { Database } from '@pto/database';
import { AuditService } from '@pto/proto/operators/v1/operators';
import { listActions } from '../audit/list-actions.ts';
import { local } from './local-service.ts';

export const auditService = (db: Database) =>
  local(AuditService, { listActions: (request) => listActions(db, request) });
