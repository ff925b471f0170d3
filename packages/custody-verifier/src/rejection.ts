/**
 * Why something that was read is not accepted: a sentence for people, and the place in the file
 * where it is known. `verifyProof` turns it into a verdict; nobody outside sees it thrown.
 */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  /** A member of the proof file (`log.inclusion`), empty where the reader does not know it. */
  readonly at: string;

  constructor(reason: string, at = '') {
    super(reason);
    this.at = at;
  }
}

/** Names the place of a rejection that does not know its own. */
export const at = <T>(place: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw placed(place, error);
  }
};

/** The same rejection at a place; any other error stays as it is. */
export const placed = (place: string, error: unknown): unknown =>
  error instanceof Rejection && error.at === '' ? new Rejection(error.message, place) : error;
