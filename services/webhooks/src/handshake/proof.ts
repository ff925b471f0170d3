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
  /** The endpoint's URL, without the nonce. */
  readonly url: string;
}

/**
 * Returns why a response does not prove that the endpoint's owner wants webhooks, or null if it
 * proves this (contract 6.2, decision 35). The proof is a 2xx response whose trimmed body is the
 * nonce, a JSON string with the nonce, or a JSON object with the nonce as a top-level member. The
 * nonce elsewhere in the body is no proof: a page that prints its own URL contains the nonce. A
 * body that repeats more of the request than the nonce is no proof either: an echo service returns
 * such a body.
 */
export const rejectionOf = (
  response: { readonly statusCode: number; readonly body: Uint8Array },
  { nonce, decoy, url }: Challenge,
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
  const members = new Map<string, unknown>(Object.entries(json));
  if (![...members.values()].includes(nonce)) return 'body';
  const isRepeated = text.indexOf(nonce) !== text.lastIndexOf(nonce);
  const ownQuery = [...new URL(url).searchParams];
  const hasOwnQuery = ownQuery.some(([name, value]) => members.get(name) === value);
  return isRepeated || hasOwnQuery ? 'echo' : null;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
