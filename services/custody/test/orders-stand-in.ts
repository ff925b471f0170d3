/** Orders' internal port, as far as the ledger's verifier and the auditor call it, in memory. */
import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { Failure } from '@pto/errors';
import { CustodyEvidenceService } from '@pto/proto/orders/v1/commands';
import {
  type AuditKind,
  type Violation,
  ViolationSchema,
  ViolationService,
  ViolationState,
} from '@pto/proto/orders/v1/violations';
import { implement } from '@pto/rpc';

export interface KnownHead {
  readonly orderId: string;
  readonly sequence: number;
  readonly custodySequence: number;
  readonly custodyHeadHash: string;
  readonly digests?: readonly { sequence: number; digest: Uint8Array }[];
}

export const createOrdersStandIn = () => {
  /** What orders says of each chain; a test changes it. */
  const known = new Map<string, KnownHead>();
  const violations: Violation[] = [];
  const notified = new Set<string>();
  const audits: { kind: AuditKind; violations: number }[] = [];
  /** Whether violations cannot be recorded now. */
  const store = { unavailable: false };
  const unresolved = () => violations.filter(({ resolvedAt }) => resolvedAt === undefined);
  const open = () => unresolved().filter(({ acknowledgment }) => acknowledgment === undefined);
  const now = () => new Date().toISOString();
  return {
    known,
    violations,
    /** The audits that the auditor has completed. */
    audits,
    store,
    implementations: [
      implement(CustodyEvidenceService, {
        listHeads: async ({ orderIds, afterOrderId, upToOrderId }) => ({
          heads: [...known.values()]
            .filter(({ orderId: id }) =>
              orderIds.length > 0 ? orderIds.includes(id) : id > afterOrderId && id <= upToOrderId,
            )
            .map(({ digests = [], ...head }) => ({ ...head, digests: [...digests] })),
        }),
        listUnreportedEvents: async () => ({
          events: [...known.values()]
            .filter(({ sequence, custodySequence }) => sequence > custodySequence)
            .map(({ orderId, sequence }) => ({ orderId, sequence, ageMs: 7000n })),
        }),
      }),
      implement(ViolationService, {
        recordViolations: async ({ found, resolvedIds, notifiedIds, completed }) => {
          if (store.unavailable) throw new Failure('SERVICE_UNAVAILABLE', 'Not now.');
          for (const { orderId, entryId, reason } of found) {
            const same = (one: Violation) =>
              one.orderId === orderId && one.entryId === entryId && one.reason === reason;
            if (unresolved().some(same)) continue;
            const at = { foundAt: now(), lastFoundAt: now() };
            violations.push(
              create(ViolationSchema, { id: randomUUID(), orderId, entryId, reason, ...at }),
            );
          }
          for (const id of notifiedIds) notified.add(id);
          if (completed) audits.push({ kind: completed.kind, violations: completed.violations });
          for (const one of violations) if (resolvedIds.includes(one.id)) one.resolvedAt = now();
          return { unnotified: open().filter(({ id }) => !notified.has(id)), open: open().length };
        },
        listViolations: async ({ state }) => ({
          violations: state === ViolationState.UNSPECIFIED ? unresolved() : [...violations],
        }),
        acknowledgeViolations: async ({ orderId, reason }, { caller }) => {
          const matching = open().filter((one) => one.orderId === orderId);
          for (const one of matching)
            Object.assign(one, {
              acknowledgment: { at: now(), reason, operator: caller.operator ?? '' },
            });
          return { acknowledged: matching };
        },
      }),
    ],
  };
};
