/** An artifact of an order. Equal bytes of two orders are two artifacts. */
export interface ArtifactId {
  /** UUID in lowercase. */
  readonly orderId: string;
  /** SHA-256 of the bytes in lowercase hex. */
  readonly sha256: string;
}

const orderIdForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sha256Form = /^[0-9a-f]{64}$/;

/**
 * Returns the name of an artifact in a store: `orderId/sha256`.
 * @throws Error for any other form, so that a name never leads out of the store.
 */
export const nameOf = ({ orderId, sha256 }: ArtifactId): string => {
  if (!orderIdForm.test(orderId))
    throw new Error('the orderId of an artifact is no lowercase UUID');
  if (!sha256Form.test(sha256)) throw new Error('the sha256 of an artifact is no lowercase hex');
  return `${orderId}/${sha256}`;
};
