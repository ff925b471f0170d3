import type { PublicReason } from '../egress/public-reason.ts';

/** Why a handshake failed, as partners read it (decision 62). */
export type HandshakeReason = PublicReason | 'redirect' | 'status' | 'body' | 'echo';

export interface HandshakeResult {
  /** Null if the handshake passed. */
  readonly reason: HandshakeReason | null;
  /** Status of the receiver's response; absent without a response. */
  readonly statusCode?: number;
  /** The error for the log; partners never read it. */
  readonly error?: unknown;
}

/** The texts of a handshake's request with which the response is compared. */
export interface Challenge {
  readonly nonce: string;
  /** Random text in a header, which no receiver has a reason to return. */
  readonly decoy: string;
}

/**
 * Returns why a response does not prove that the endpoint's owner wants webhooks, or null if it
 * proves this (contract 6.2, decision 35). The proof is a 2xx response whose trimmed body is the
 * nonce, a JSON string with the nonce, or a JSON object with the nonce as a top-level member. The
 * nonce elsewhere in the body is no proof, also beside such a member: a page that prints its own
 * URL contains the nonce, and an echo service returns more of the request. Other parameters of the
 * URL may stand in the body: a receiver may name its tenant, and who chooses a URL for an echo
 * service chooses one without parameters.
 */
export const rejectionOf = (
  response: { readonly statusCode: number; readonly body: Uint8Array },
  { nonce, decoy }: Challenge,
): HandshakeReason | null => {
  const { statusCode, body } = response;
  if (statusCode >= 300 && statusCode <= 399) return 'redirect';
  if (statusCode < 200 || statusCode > 299) return 'status';
  const text = new TextDecoder().decode(body).trim();
  if (text.includes(decoy)) return 'echo';
  if (text === nonce) return null;
  const json = parsed(text);
  if (json === nonce) return null;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'body';
  const proofs = Object.values(json).filter((value) => value === nonce).length;
  if (proofs === 0) return 'body';
  const occurrences = text.split(nonce).length - 1;
  return occurrences > proofs ? 'echo' : null;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
