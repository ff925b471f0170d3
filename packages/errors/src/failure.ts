import { type FailureKind, kinds } from './kinds.ts';

export type FailureDetails = Readonly<Record<string, unknown>>;

/**
 * A refusal that may be shown: kind, message and details are public. The cause is private: it is
 * no property, so neither JSON.stringify nor console, nor a logger's serializer can print it;
 * only {@link privateCause} gives it out, for the log.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly details: FailureDetails | undefined;
  /** Whole seconds, for `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  readonly #cause: unknown;

  constructor(
    kind: FailureKind,
    message: string,
    more: { details?: FailureDetails; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    // nothing shows the stack of a failure that is the caller's: it would be a third of its cost
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

/** What really happened; for the log alone. */
export const privateCause = (failure: Failure): unknown => Failure.cause(failure);

/** Any thrown thing as a Failure: what is not one becomes INTERNAL with a fixed text. */
export const toFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure
    ? thrown
    : new Failure('INTERNAL', 'Something went wrong on our side.', { cause: thrown });
