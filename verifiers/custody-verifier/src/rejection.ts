/**
 * Reports why an input is rejected. `message` is a sentence for people; `at` names the member of the
 * file, or the option, with the error. `verifyProof` and `verifyEvents` convert a Rejection to a verdict and never
 * throw it.
 */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  /** The member of the proof file (`log.inclusion`), empty if unknown. */
  readonly at: string;

  constructor(reason: string, at = '') {
    super(reason);
    this.at = at;
  }
}

/** Runs `read`, and adds the member's name to a Rejection that has none. */
export const at = <T>(place: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw placed(place, error);
  }
};

/** Returns the rejection with the member's name; any other error is returned unchanged. */
export const placed = (place: string, error: unknown): unknown =>
  error instanceof Rejection && error.at === '' ? new Rejection(error.message, place) : error;
