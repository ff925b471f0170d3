/**
 * Why something that was read is not accepted: a sentence for people, and the place in the file
 * where it is known. `verifyProof` turns it into a verdict; nobody outside sees it thrown.
 */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** A member of the proof file (`log.inclusion`), empty where the reader does not know it. */
  readonly at: string;

  constructor(reason: string, at = '') {
    super(reason);
    this.at = at;
  }
}

/** Names the place of a refusal that does not know its own. */
export const at = <T>(place: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw placed(place, error);
  }
};

/** The same refusal at a place; any other error stays as it is. */
export const placed = (place: string, error: unknown): unknown =>
  error instanceof Refused && error.at === '' ? new Refused(error.message, place) : error;
