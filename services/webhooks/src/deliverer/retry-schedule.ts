import type { EgressFault } from '../egress/egress-error.ts';

/** The next state of a delivery after an attempt; `waitMs` is the time until the next attempt. */
export type Verdict =
  | { readonly state: 'DELIVERED' }
  | { readonly state: 'EXHAUSTED' }
  | {
      readonly state: 'PENDING';
      readonly waitMs: number;
      /** True: the attempt succeeded, and a rehearsal sends the delivery once more. */
      readonly duplicate?: true;
    };

/** Whether the receiver has the delivery, and a rehearsal sends it once more. */
export const isDuplicate = (verdict: Verdict): boolean =>
  verdict.state === 'PENDING' && verdict.duplicate === true;

export interface Tried {
  readonly outcome: Outcome;
  /** Number of this attempt in the schedule, from 1. */
  readonly number: number;
  /** When the first attempt of the schedule began; milliseconds since the epoch. */
  readonly firstAttemptAt: number;
}

/** Number of scheduled attempts of a delivery: one more than there are waits (contract 6.6). */
export const attemptsMax = (waitsMs: readonly number[]): number => waitsMs.length + 1;

/** Share by which each wait but the last one varies (decision 38). */
export const jitter = 0.1;

/**
 * Returns the verdict on an attempt by the retry schedule (decision 38). The default waits of
 * `retryWaits` in config.ts are:
 *
 * | before attempt | wait | time since the first attempt |
 * |---|---|---|
 * | 2 | 1 min ± 10 % | 1 min |
 * | 3 | 5 min ± 10 % | 6 min |
 * | 4 | 30 min ± 10 % | 36 min |
 * | 5 | 4 h ± 10 % | 4 h 36 min |
 * | 6 | the rest, without jitter | 24 h |
 *
 * `Retry-After` extends a wait to at most twice its length, and never beyond the end of the
 * schedule.
 * @param waitsMs waits between attempts, in order. @param now milliseconds since the epoch.
 * @param random from 0 to 1, for the jitter.
 */
export const verdictOn = (
  tried: Tried,
  waitsMs: readonly number[],
  now: number,
  random: number,
): Verdict => {
  if (succeeded(tried.outcome)) return { state: 'DELIVERED' };
  const wait = waitsMs[tried.number - 1];
  if (wait === undefined) return { state: 'EXHAUSTED' };
  const leftMs = tried.firstAttemptAt + waitsMs.reduce((sum, ms) => sum + ms, 0) - now;
  if (tried.number === waitsMs.length) return { state: 'PENDING', waitMs: Math.max(0, leftMs) };
  const jittered = Math.round(wait * (1 - jitter + 2 * jitter * random));
  const requested = 'statusCode' in tried.outcome ? retryAfterMs(tried.outcome.retryAfter, now) : 0;
  const longer = Math.min(requested ?? 0, 2 * wait, leftMs);
  return { state: 'PENDING', waitMs: Math.max(jittered, longer) };
};

/**
 * Returns the wait of a `Retry-After` header (RFC 9110: seconds or an HTTP date) in milliseconds.
 * Returns undefined if the header is absent, malformed, 0 or in the past.
 * @param now milliseconds since the epoch.
 */
export const retryAfterMs = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000 || undefined;
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return at > now ? at - now : undefined;
};

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The result of one POST: a response of any status, or an error. */
export type Outcome =
  | {
      readonly statusCode: number;
      readonly retryAfter: string | undefined;
      /** The beginning of the response's body (response-text.ts); null: it has none. */
      readonly body?: string | null;
    }
  | { readonly error: AttemptError };

/**
 * Why an attempt has no response. `lost`: the lease ended before a result was recorded, usually
 * because the process died; the request may have been sent. `unsigned`: the process sent nothing,
 * because the endpoint had no secret or a secret could not be decrypted. `duplicate`: there was a
 * 2xx response, and a rehearsal treats it as lost.
 */
export type AttemptError = EgressFault | 'lost' | 'unsigned' | 'duplicate';

/** Whether the response has a 2xx status (contract 6.6). */
export const succeeded = (outcome: Outcome): boolean =>
  'statusCode' in outcome && outcome.statusCode >= 200 && outcome.statusCode <= 299;
