import { Failure, leavesOpen, toFailure } from '@pto/errors';
import { isHeld } from '@pto/moves';

export const isUnknown = (error: unknown): boolean =>
  error instanceof Failure && error.kind === 'NOT_FOUND';

/**
 * Calls all cells at the same time and returns the first response of one that knows the id; the
 * others delay it by nothing. A cell from which the organization moves, or has moved, rejects the
 * call as held.
 * @throws Failure the rejection of a cell that knows the id. If none does: SERVICE_UNAVAILABLE if
 *   some did not respond, INTERNAL if one failed, ORGANIZATION_HELD if one held it, otherwise
 *   NOT_FOUND.
 */
export const firstThatKnows = async <T>(
  cells: readonly string[],
  look: (cell: string) => Promise<T>,
): Promise<T> => {
  const looks = cells.map(async (cell) => {
    try {
      const response = await look(cell);
      return () => response;
    } catch (error) {
      if (isUnknown(error) || isHeld(error) || isOpen(error)) throw error;
      return () => {
        throw error;
      };
    }
  });
  const first = await Promise.any(looks).catch(({ errors }: AggregateError) => {
    throw failureOf(cells, errors);
  });
  return first();
};

/** Whether the cell has not responded, or failed: it may know the id. */
const isOpen = (error: unknown): boolean => leavesOpen(toFailure(error).kind);
const isSilent = (error: unknown): boolean => isOpen(error) && toFailure(error).kind !== 'INTERNAL';

/** Returns the failure of a call that no cell knows. @param errors of the cells, in their order. */
const failureOf = (cells: readonly string[], errors: readonly unknown[]): unknown => {
  const silent = cells.filter((_, n) => isSilent(errors[n]));
  if (silent.length === 0) return errors.find(isOpen) ?? errors.find(isHeld) ?? errors[0];
  return new Failure(
    'SERVICE_UNAVAILABLE',
    `No other cell knows this, and these do not respond: ${silent.join(', ')}. Try again later.`,
    { cause: errors.find(isSilent), retryAfterSeconds: 5 },
  );
};
