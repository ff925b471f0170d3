/** The codes of wards' links: derived, compared, counted and unlocked (decision 86). None is stored. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database, Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { handoverStatuses } from '@pto/proto/order-commands';
import { beginChange } from '../change-time.ts';
import { shownRound, unlockSide, useCode, WrongCode } from '../domain/handover-code.ts';
import type { CodeSide, HandoverStage, IsCode } from '../domain/order.ts';
import type { CursorKeys } from '../reading/cursor.ts';
import type { OrderKey } from '../reading/get-order.ts';
import { orderNotFound } from '../reading/order-not-found.ts';
import { changeCodesWithin, readState } from './apply-command.ts';
import { requireDriver } from './driver-orders.ts';

/** Returns the four digits of a side in a round. The label separates them from cursors. */
const codeOf = (
  key: Buffer,
  { organizationId, orderId }: OrderKey,
  side: CodeSide,
  round: number,
) => {
  const named = JSON.stringify(['handover-code/1', organizationId, orderId, side, round]);
  const number = createHmac('sha256', key).update(named).digest().readUIntBE(0, 6) % 10_000;
  return `${number}`.padStart(4, '0');
};

/** Compares a code of four digits with those of all keys, in constant time. */
export const compareCode =
  (keys: CursorKeys, order: OrderKey, code: string): IsCode =>
  (side, round) =>
    keys
      .map((key) =>
        timingSafeEqual(Buffer.from(codeOf(key, order, side, round)), Buffer.from(code)),
      )
      .includes(true);

/** Returns the code that the page of a side shows; null: none. @throws Failure NOT_FOUND */
export const shownCode = async (
  sql: Sql,
  [key]: CursorKeys,
  order: OrderKey,
  side: CodeSide,
): Promise<string | null> => {
  const round = shownRound(await readState(sql, order), side);
  return round === null ? null : codeOf(key, order, side, round);
};

/**
 * Compares a code for the driver whose order it is. It stays valid; a wrong one counts.
 * @throws Failure NOT_FOUND for the order of another driver; ILLEGAL_TRANSITION; as `useCode` throws
 */
export const checkCode = async (
  db: Database,
  order: OrderKey,
  { stage, isCode, driverId }: { stage: HandoverStage; isCode: IsCode; driverId: string },
): Promise<void> => {
  await requireDriver(db, order, driverId);
  // guesses at a locked side do not wait for the row, which others need
  useCode((await readState(db, order)).codes, stage, () => true);
  const wrong = await db.transaction(async (tx) => {
    await beginChange(tx, order.organizationId);
    let counted: WrongCode | null = null;
    await changeCodesWithin(tx, order, ({ status, codes }, driver) => {
      if (driver !== driverId) throw orderNotFound();
      if (!handoverStatuses[stage].includes(status))
        throw new Failure('ILLEGAL_TRANSITION', `The order is ${status}; no ${stage} is due.`);
      try {
        useCode(codes, stage, isCode);
        return null;
      } catch (thrown) {
        if (!(thrown instanceof WrongCode)) throw thrown;
        counted = thrown;
        return thrown.codes;
      }
    });
    return counted;
  });
  if (wrong) throw wrong;
};

/** Gives a side that is locked another code. @throws Failure NOT_FOUND, ORGANIZATION_HELD */
export const unlockCode = (db: Database, order: OrderKey, side: CodeSide): Promise<void> =>
  db.transaction(async (tx) => {
    await beginChange(tx, order.organizationId);
    await changeCodesWithin(tx, order, ({ codes }) => unlockSide(codes, side));
  });
