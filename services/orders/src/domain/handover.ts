/** Handovers of the goods and the evidence that an order requires of them (decision 71). */
import { Failure, invalid } from '@pto/errors';
import { handoverStatuses, nextCommandOf } from '@pto/proto/order-commands';
import { useCode } from './handover-code.ts';
import type {
  Command,
  Evidence,
  Handover,
  HandoverStage,
  JsonObject,
  OrderChange,
  OrderState,
  OrderStatus,
  SealDifference,
} from './order.ts';
import { recordedPayload } from './recorded-payload.ts';

/** The commands that end a stage: each needs the evidence that the order requires of the stage. */
const stageBefore: Readonly<Partial<Record<Command['name'], HandoverStage>>> = {
  startTransport: 'pickup',
  deliver: 'dropoff',
  close: 'return',
};

/**
 * Returns what a handover changes on the order, and the payload of its entry. A scan of other seals
 * than the order's is recorded, and is not the evidence `scan` that the order may require.
 * @param isSigned a driver's device signed the record, which is evidence without being a method.
 * @throws Failure ILLEGAL_TRANSITION for a stage that the order's status does not permit; VALIDATION
 *   for a method without what it needs; as `useCode` throws
 */
export const recordHandover = (
  order: OrderState,
  { handover, isCode }: Extract<Command, { name: 'handover' }>,
  isSigned: boolean,
): { readonly change: OrderChange; readonly payload: JsonObject | null } => {
  const { stage, methods, scannedSealIds } = handover;
  if (!handoverStatuses[stage].includes(order.status))
    throw new Failure(
      'ILLEGAL_TRANSITION',
      `The order is ${order.status}; a handover at ${stage} is recorded in ${handoverStatuses[stage].join(' or ')}.`,
      { details: { status: order.status, target: order.status } },
    );
  requireSubstance(order, handover);
  if (methods.includes('code') !== (isCode !== undefined))
    throw invalid(['code'], 'the method code and the code of the link belong together');
  const isOtherSeals = sealDifference(order.sealIds, scannedSealIds) !== null;
  const proving = methods.filter((method) => method !== 'scan' || !isOtherSeals);
  const recorded = new Set([...(order.recordedEvidence[stage] ?? []), ...proving]);
  if (isSigned) recorded.add('device_signature');
  return {
    change: {
      ...(isCode && { codes: useCode(order.codes, stage, isCode) }),
      recordedEvidence: { ...order.recordedEvidence, [stage]: [...recorded] },
      heldBy: handover.to.party,
    },
    payload: recordedPayload({ name: 'handover', handover }),
  };
};

/** Requires what makes each method evidence. @throws Failure VALIDATION */
const requireSubstance = (order: OrderState, handover: Handover): void => {
  const { to, methods, scannedSealIds, artifact } = handover;
  const has = (method: Handover['methods'][number]) => methods.includes(method);
  if ((has('signature') || has('photo')) && artifact === null)
    throw invalid(['artifact'], 'a signature or photo needs its file (PNG, JPEG or PDF)');
  if ((has('signature') || has('id_checked')) && to.person === null)
    throw invalid(['to', 'person'], 'a signature or checked identity needs the name of the person');
  if (has('scan') !== (scannedSealIds !== null))
    throw invalid(['scanned_seal_ids'], 'the method scan and the scanned seals belong together');
  if (scannedSealIds !== null && order.sealIds.length === 0)
    throw invalid(['scanned_seal_ids'], 'the order is not sealed yet; seal it before the scan');
};

/** Compares the scanned seals with the order's; null if there is no difference. */
export const sealDifference = (
  sealIds: readonly string[],
  scanned: readonly string[] | null,
): SealDifference | null => {
  if (scanned === null) return null;
  const [sealed, found] = [new Set(sealIds), new Set(scanned)];
  const missing = [...sealed].filter((id) => !found.has(id));
  const unexpected = [...found].filter((id) => !sealed.has(id));
  return missing.length + unexpected.length === 0 ? null : { missing, unexpected };
};

/**
 * Requires the evidence of the stage that a command ends.
 * @throws Failure ILLEGAL_TRANSITION with the missing methods
 */
export const requireEvidence = (order: OrderState, command: Command, target: OrderStatus): void => {
  const stage = stageBefore[command.name];
  if (stage === undefined) return;
  const missing = missingEvidence(order, stage);
  if (missing.length === 0) return;
  throw new Failure(
    'ILLEGAL_TRANSITION',
    `The order requires evidence of its ${stage}: record a handover with ${missing.join(', ')}, or waive it.`,
    { details: { status: order.status, target, missing_evidence: { [stage]: missing } } },
  );
};

/**
 * Returns the order without evidence that it requires at a stage, and the payload of the entry that
 * says so: a broken seal cannot be scanned any more, and the goods must still be handed over.
 * @throws Failure VALIDATION for a method that the order does not require there, or that it has
 */
export const waiveEvidence = (
  order: OrderState,
  { stage, methods, note }: Extract<Command, { name: 'waive' }>,
): { readonly change: OrderChange; readonly payload: JsonObject } => {
  const missing = missingEvidence(order, stage as HandoverStage);
  const unknown = methods.filter((method) => !missing.includes(method));
  if (methods.length === 0 || unknown.length > 0)
    throw invalid(
      ['methods'],
      `expected some of the evidence that the ${stage} lacks: ${missing.join(', ') || 'none'}`,
      unknown,
    );
  const left = (order.requiredEvidence[stage as HandoverStage] ?? []).filter(
    (method) => !methods.includes(method),
  );
  return {
    change: { requiredEvidence: { ...order.requiredEvidence, [stage]: left } },
    payload: { stage, methods, note },
  };
};

/** Returns the methods that the order requires before its next step, and that it does not have. */
export const missingBeforeNext = (
  order: Pick<OrderState, 'status' | 'requiredEvidence' | 'recordedEvidence'>,
): readonly string[] => {
  const stage = stageBefore[nextCommandOf(order.status)?.name as Command['name']];
  return stage === undefined ? [] : missingEvidence(order, stage);
};

const missingEvidence = (
  { requiredEvidence, recordedEvidence }: Pick<OrderState, 'requiredEvidence' | 'recordedEvidence'>,
  stage: keyof Evidence,
): readonly string[] => {
  const recorded = recordedEvidence[stage] ?? [];
  return (requiredEvidence[stage] ?? []).filter((method) => !recorded.includes(method));
};
