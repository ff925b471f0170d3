/**
 * Reports why an input is rejected. `message` is a sentence for people. `at` names the member of
 * the file, or the option, with the error. `verifyProof` and `verifyEvents` convert a Rejection to
 * a verdict and never throw it.
 */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  /** The member of the proof file, such as `log.inclusion`, or the option; empty if unknown. */
  readonly at: string;

  constructor(reason: string, at = '') {
    super(reason);
    this.at = at;
  }
}

/**
 * Returns what `read` returns. If `read` throws a Rejection that names no member, or its promise
 * rejects with one, the error names the member `place`.
 */
export const at = <T>(place: string, read: () => T): T => {
  const named = (error: unknown): never => {
    throw error instanceof Rejection && error.at === ''
      ? new Rejection(error.message, place)
      : error;
  };
  try {
    const result = read();
    return result instanceof Promise ? (result.catch(named) as T) : result;
  } catch (error) {
    return named(error);
  }
};
