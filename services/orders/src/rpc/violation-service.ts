import { type Database, isUuid } from '@pto/database';
import { Failure } from '@pto/errors';
import {
  type CompletedAudit,
  ViolationService,
  ViolationState,
} from '@pto/proto/orders/v1/violations';
import { implement } from '@pto/rpc';
import { isKnownKind } from '../audits.ts';
import {
  acknowledgeViolations,
  listViolations,
  recordViolations,
  toViolation,
  violatedOrder,
} from '../violations.ts';
import { requireText, requireUuid } from './command-metadata.ts';

const pageSizeDefault = 200;
const pageSizeMax = 1000;
const reasonMax = 500;
const operatorMax = 200;
/** Maximum of a 32-bit integer. */
const violationsMax = 2 ** 31 - 1;

/** Serves the integrity violations of the ledger to the auditor and to operators. */
export const violationService = ({ db }: { db: Database }) =>
  implement(ViolationService, {
    recordViolations: async ({ found, resolvedIds, notifiedIds, completed }) => {
      for (const list of [found, resolvedIds, notifiedIds])
        if (list.length > pageSizeMax)
          throw new Failure(
            'VALIDATION',
            `At most ${pageSizeMax} violations are recorded at once.`,
          );
      for (const { orderId } of found) if (orderId !== '') requireUuid(orderId, 'found.order_id');
      for (const id of [...resolvedIds, ...notifiedIds]) requireUuid(id, 'ids');
      const stored = found.map((one) => ({ ...one, reason: one.reason.slice(0, reasonMax) }));
      const report = { found: stored, resolvedIds, notifiedIds };
      const audit = completed && auditOf(completed);
      const { unnotified, open } = await recordViolations(db, report, audit);
      return { unnotified: unnotified.map(toViolation), open };
    },
    listViolations: async (request) => {
      const { state, orderId, organizationId, pageSize: requested, pageToken } = request;
      if (ViolationState[state] === undefined)
        throw new Failure('VALIDATION', 'state is not a known state of violations.');
      if (orderId !== '') requireUuid(orderId, 'order_id');
      if (organizationId !== '') requireUuid(organizationId, 'organization_id');
      if (pageToken !== '' && !isUuid(pageToken))
        throw new Failure('VALIDATION', 'page_token is not a next_page_token of this RPC.');
      const pageSize = Math.min(requested || pageSizeDefault, pageSizeMax);
      const order = orderId === '' ? null : await violatedOrder(db, orderId);
      const page = { organizationId, beforeId: pageToken, pageSize };
      const rows = await listViolations(db, { state, order, ...page });
      return {
        violations: rows.map(toViolation),
        nextPageToken: rows.length === pageSize ? rows.at(-1)!.id : '',
      };
    },
    acknowledgeViolations: async ({ orderId, id, reason }, { caller }) => {
      if ((orderId === '') === (id === ''))
        throw new Failure('VALIDATION', 'Set exactly one of order_id and id.');
      requireUuid(orderId || id, orderId ? 'order_id' : 'id');
      const rows = await acknowledgeViolations(
        db,
        orderId === '' ? { id } : { order: await violatedOrder(db, orderId) },
        {
          operator: requireText(caller.operator ?? '', 'operator', operatorMax),
          reason: requireText(reason, 'reason', reasonMax),
        },
      );
      return { acknowledged: rows.map(toViolation) };
    },
  });

/** @throws Failure VALIDATION for an unknown kind or a number that the database cannot hold. */
const auditOf = ({ kind, violations }: CompletedAudit) => {
  if (!isKnownKind(kind))
    throw new Failure('VALIDATION', 'completed.kind is not a known kind of audit.');
  if (violations > violationsMax)
    throw new Failure('VALIDATION', `completed.violations is at most ${violationsMax}.`);
  return { kind, violations };
};
