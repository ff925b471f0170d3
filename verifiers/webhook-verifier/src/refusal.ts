/** Why a delivery is rejected. The verifiers in all languages have the same reasons. */
export type RefusalReason = keyof typeof messages;

/** A rejected delivery. Respond with 401, or with 400 for the reason `not_an_event`. */
export interface Refusal {
  readonly valid: false;
  readonly reason: RefusalReason;
  /** The reason as a sentence for your log; it contains nothing of the request. */
  readonly message: string;
}

export const refusal = (reason: RefusalReason): Refusal => ({
  valid: false,
  reason,
  message: messages[reason],
});

const messages = {
  no_header: 'the request has no X-Service-Signature',
  malformed_header:
    'X-Service-Signature is not t=SECONDS,v1=HEX: t once, each v1 of 64 lower-case digits, no spaces',
  no_v1: 'X-Service-Signature has no v1, the only scheme that is known here',
  no_signature_matches:
    'none of the secrets signed these bytes: another secret, a changed body, or one that was parsed and serialized again',
  stale: 'signed too long ago: a replay, or the clock here is fast',
  from_the_future: 'signed too far ahead of the clock here: is it slow?',
  not_an_event: 'signed, but the body is not an event',
} as const;
