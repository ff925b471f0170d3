import { Failure } from './failure.ts';

/** One entry of the `detail` array, in the form of contract 2.6 (decision 1). */
export const valueError = (loc: readonly (string | number)[], reason: string, input?: unknown) => ({
  type: 'value_error',
  loc,
  msg: `Value error, ${reason}`,
  ...(input !== undefined && { input }),
  ctx: { error: reason },
});

/** A validation error with that one entry. */
export const invalid = (
  loc: readonly (string | number)[],
  reason: string,
  input?: unknown,
): Failure =>
  new Failure('VALIDATION', `${loc.join('.')}: ${reason}`, {
    details: { detail: [valueError(loc, reason, input)] },
  });
