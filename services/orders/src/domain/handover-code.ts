/**
 * The code that the page of a ward's link shows, at a handover (decision 86). Pure: the caller says
 * whether a code is right.
 */
import { Failure, invalid } from '@pto/errors';
import { codeSides, handoverStatuses } from '@pto/proto/order-commands';
import { custodyStatuses } from '@pto/proto/vocabulary';
import type { CodeSide, HandoverCodes, HandoverStage, IsCode, OrderState } from './order.ts';

/** Number of wrong codes that lock a side. */
const wrongMax = 5;
const first = { round: 0, wrong: 0 };

/** The statuses in which a page shows a code: a driver is expected or there. */
const shownIn: readonly string[] = ['DRIVER_ASSIGNED', ...custodyStatuses, 'DELIVERED'];

/** The rejection of a wrong code. The count of wrong codes must be stored all the same. */
export class WrongCode extends Failure {
  readonly codes: HandoverCodes;
  constructor(codes: HandoverCodes, left: number) {
    const reason = left > 0 ? `; ${left} more lock it` : ' and locks it until a dispatcher unlocks';
    const { kind, message, details } = invalid(['code'], `the code is wrong${reason}`);
    super(kind, message, { details: details! });
    this.codes = codes;
  }
}

/**
 * Compares a code at a stage. A right one is used up: the next handover on that side needs another.
 * @returns the codes after its use.
 * @throws WrongCode; Failure VALIDATION for a transfer, or a side that is locked: nothing is compared
 */
export const useCode = (
  codes: HandoverCodes,
  stage: HandoverStage,
  isCode: IsCode,
): HandoverCodes => {
  const side = codeSides[stage];
  if (side === null) throw invalid(['code'], 'a transfer has no code: no ward takes part in it');
  const { round, wrong } = codes[side] ?? first;
  if (wrong >= wrongMax)
    throw invalid(
      ['code'],
      `the code of the ${side} is locked after ${wrongMax} wrong ones: ask a dispatcher to unlock it`,
    );
  if (isCode(side, round)) return { ...codes, [side]: { round: round + 1, wrong: 0 } };
  const counted = { ...codes, [side]: { round, wrong: wrong + 1 } };
  throw new WrongCode(counted, wrongMax - wrong - 1);
};

/** Returns the sides whose code is locked. */
export const lockedSides = (codes: HandoverCodes): CodeSide[] =>
  (['pickup', 'dropoff'] as const).filter((side) => (codes[side]?.wrong ?? 0) >= wrongMax);

/** Returns the codes with another one for a side that is locked; null: it is not. */
export const unlockSide = (codes: HandoverCodes, side: CodeSide): HandoverCodes | null =>
  lockedSides(codes).includes(side)
    ? { ...codes, [side]: { round: codes[side]!.round + 1, wrong: 0 } }
    : null;

/**
 * Returns the round of the code that the page of a side shows; null: a code is not due there. Goods
 * come back seldom, so the sender has a second code only if the order requires it.
 */
export const shownRound = (
  order: Pick<OrderState, 'status' | 'requiredEvidence' | 'recordedEvidence' | 'codes'>,
  side: CodeSide,
): number | null => {
  const { status, requiredEvidence, recordedEvidence, codes } = order;
  const isBack = side === 'pickup' && handoverStatuses.return.includes(status);
  const stage = isBack ? 'return' : side;
  const isDue =
    shownIn.includes(status) &&
    !recordedEvidence[stage]?.includes('code') &&
    (!isBack || requiredEvidence.return?.includes('code') === true);
  return isDue && !lockedSides(codes).includes(side) ? (codes[side] ?? first).round : null;
};
