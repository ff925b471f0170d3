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
 * Runs `read`. If it throws a Rejection that names no member, throws the Rejection with the name
 * `place`.
 */
export const at = <T>(place: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw placed(place, error);
  }
};

/**
 * Returns a Rejection that names no member with the name `place`. Returns any other error
 * unchanged.
 */
export const placed = (place: string, error: unknown): unknown =>
  error instanceof Rejection && error.at === '' ? new Rejection(error.message, place) : error;
