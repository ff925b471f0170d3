import { Failure } from './failure.ts';

/** Returns an entry of the `detail` array in the form of contract 2.6 (decision 1). */
export const valueError = (loc: readonly (string | number)[], reason: string, input?: unknown) => ({
  type: 'value_error',
  loc,
  msg: `Value error, ${reason}`,
  ...(input !== undefined && { input }),
  ctx: { error: reason },
});

/**
 * Returns a VALIDATION failure. Its `detail` has one entry, which `valueError` makes from the
 * parameters.
 */
export const invalid = (
  loc: readonly (string | number)[],
  reason: string,
  input?: unknown,
): Failure =>
  new Failure('VALIDATION', `${loc.join('.')}: ${reason}`, {
    details: { detail: [valueError(loc, reason, input)] },
  });
