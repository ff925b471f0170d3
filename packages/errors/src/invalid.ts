import { Failure } from './failure.ts';

/** A validation error in the one form of contract 2.6 (decision 1). */
export const invalid = (
  loc: readonly (string | number)[],
  reason: string,
  input?: unknown,
): Failure =>
  new Failure('VALIDATION', `${loc.join('.')}: ${reason}`, {
    details: {
      detail: [
        {
          type: 'value_error',
          loc,
          msg: `Value error, ${reason}`,
          ...(input !== undefined && { input }),
          ctx: { error: reason },
        },
      ],
    },
  });
