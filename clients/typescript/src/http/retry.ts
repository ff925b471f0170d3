/** When a failed attempt is repeated: a pure decision. */
export interface FailedAttempt {
  /** HTTP status; null if no response was received. */
  readonly status: number | null;
  readonly code: string | null;
  /** Seconds, from `Retry-After`. */
  readonly retryAfter: number | null;
}

export interface RetryState {
  /** Attempts so far, at least 1. */
  readonly attempts: number;
  readonly attemptsMax: number;
  /** Time until the call has to end. */
  readonly remainingMs: number;
  readonly repeatable: boolean;
}

const baseMs = 500;
const capMs = 20_000;

/** After these the same request may succeed, and nothing says whether it was executed. */
const transient = new Set([408, 502, 503, 504]);

/**
 * Returns the wait before the next attempt in milliseconds; null: give up. `Retry-After` is the
 * wait where the response has it. Otherwise full jitter: a random part of 0.5, 1, 2 … 20 s. A wait
 * that exceeds the remaining time is not begun.
 * @param random in [0, 1).
 */
export const retryDelayMs = (
  failed: FailedAttempt,
  { attempts, attemptsMax, remainingMs, repeatable }: RetryState,
  random: number,
): number | null => {
  if (attempts >= attemptsMax || !isTemporary(failed, repeatable)) return null;
  const wait =
    failed.retryAfter === null
      ? random * Math.min(capMs, baseMs * 2 ** (attempts - 1))
      : failed.retryAfter * 1000;
  return wait < remainingMs ? wait : null;
};

/** A 429 was rejected before it was executed; a concurrent request with the same key still runs. */
const isTemporary = ({ status, code }: FailedAttempt, repeatable: boolean): boolean =>
  status === 429 ||
  (repeatable && (status === null || transient.has(status) || code === 'IDEMPOTENCY_IN_PROGRESS'));

/** Seconds of a `Retry-After` header, delay or date (RFC 9110, 10.2.3); null if there is none. */
export const retryAfterSeconds = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = /^[A-Za-z]{3}/.test(header) ? Date.parse(header) : Number.NaN; // a day's name
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
};
