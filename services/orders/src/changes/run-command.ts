import type { Database, Transaction } from '@pto/database';
import { Failure, type FailureKind, toFailure } from '@pto/errors';
import { orderCommands } from '@pto/proto/order-commands';
import { noMetadata } from '../domain/decide.ts';
import { WrongCode } from '../domain/handover-code.ts';
import type { Command, CommandMetadata } from '../domain/order.ts';
import { isDriverCommand, recordedPayload } from '../domain/recorded-payload.ts';
import { getOrder, type OrderKey } from '../reading/get-order.ts';
import type { StoredOrder } from '../reading/stored-order.ts';
import { applyWithin, type CommandDeps } from './apply-command.ts';
import { type CommandId, runOnce } from './command-log.ts';
import { requireSigned } from './device-record.ts';

/**
 * Applies one command to one order in a transaction of its own.
 * @param id the sender's id of the command; null: a repetition is a command of its own.
 * @returns the order after the command.
 * @throws Failure NOT_FOUND, a failure that `decide` throws, or that of a kept record (`rejectKept`)
 */
export const applyCommand = async (
  deps: CommandDeps & { readonly db: Database },
  target: OrderKey,
  command: Command,
  metadata: CommandMetadata = noMetadata,
  id: CommandId | null = null,
): Promise<StoredOrder> => {
  await requireSigned(deps.db, target, command, metadata);
  const { stored, outcome } = await runOnce<Kept>(deps, target, id, (transact) =>
    transact(async (tx) => {
      const { stored, kept } = await applyOrKeep(tx, deps, target, command, metadata);
      return { stored, outcome: kept };
    }),
  );
  return outcome ? rejectKept(outcome) : stored;
};

/**
 * A rejection that is stored: of a record of a device, with the entry that keeps it, or of a wrong
 * code, without one.
 */
export interface Kept {
  readonly entry: number | null;
  readonly kind: FailureKind;
  readonly message: string;
  readonly details: Failure['details'];
}

/** What the state of an order may say of a record whose form is right. */
const keptKinds: readonly FailureKind[] = ['ILLEGAL_TRANSITION', 'VALIDATION'];

/** Whether a rejected command is kept: a device has signed it, and the order's state rejects it. */
export const isKept = (thrown: unknown, { device }: CommandMetadata): boolean =>
  device !== null && keptKinds.includes(toFailure(thrown).kind);

/**
 * Applies a command within a transaction as `applyWithin` does. If the order's state rejects the
 * record of a device, an entry keeps the record as it was signed: what a driver recorded without a
 * network is not lost. The count of a wrong code is committed, too, and a repetition with the same id
 * is no second guess.
 */
export const applyOrKeep = async (
  tx: Transaction,
  deps: CommandDeps,
  target: OrderKey,
  command: Command,
  metadata: CommandMetadata,
): Promise<{ readonly stored: StoredOrder; readonly kept: Kept | null }> => {
  try {
    return { stored: await applyWithin(tx, deps, target, command, metadata), kept: null };
  } catch (thrown) {
    const { kind, message, details } = toFailure(thrown);
    if (!isKept(thrown, metadata) || !isDriverCommand(command)) {
      if (!(thrown instanceof WrongCode)) throw thrown;
      const stored = await getOrder({ ...deps, sql: tx }, target);
      return { stored, kept: { entry: null, kind, message, details } };
    }
    const { entry: internal_type } = orderCommands[command.name].event;
    const payload = recordedPayload(command);
    const keep: Command = { name: 'keep', payload, kept: { internal_type, reason: kind } };
    const stored = await applyWithin(tx, deps, target, keep, metadata);
    return { stored, kept: { entry: stored.order.sequence, kind, message, details } };
  }
};

/** Throws the stored failure, with the entry that keeps the record of a device. */
export const rejectKept = ({ entry, kind, message, details }: Kept): never => {
  const kept = entry === null ? {} : { kept_entry: entry };
  throw new Failure(kind, message, { details: { ...details, ...kept } });
};
