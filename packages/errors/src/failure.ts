import { type FailureKind, kinds } from './kinds.ts';

/**
 * An error for the caller: kind, message and details are public. The cause is private: it is stored
 * in a private field, so JSON.stringify, console and log serializers cannot print it. {@link
 * privateCause} returns the cause for the log.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Value of the `Retry-After` header in whole seconds; undefined: no header. */
  readonly retryAfterSeconds: number | undefined;
  readonly #cause: unknown;

  constructor(
    kind: FailureKind,
    message: string,
    more: { details?: Failure['details']; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    // no log shows the stack of a 4xx, and capturing it is a third of the cost of the error
    const { stackTraceLimit } = Error;
    if (kinds[kind].http < 500) Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Failure';
    this.kind = kind;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.#cause = more.cause;
  }

  get retryable(): boolean {
    return kinds[this.kind].retryable;
  }

  static cause(failure: Failure): unknown {
    return failure.#cause;
  }
}

/** Returns the private cause of a failure, for the log only. */
export const privateCause = (failure: Failure): unknown => Failure.cause(failure);

/**
 * Returns a thrown Failure unchanged. Any other thrown value becomes the private cause of an
 * INTERNAL failure.
 */
export const toFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure
    ? thrown
    : new Failure('INTERNAL', 'Something went wrong on our side.', { cause: thrown });

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
