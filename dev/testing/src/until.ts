import { setTimeout as sleep } from 'node:timers/promises';

/** The first pause, and the longest: a pause is a twentieth of the time waited so far. */
const [pauseMs, pauseMaxMs] = [10, 200];

/**
 * Polls until the condition returns a truthy value, and returns that value. A condition that throws
 * counts as false. The pauses grow, because many conditions are requests that take processor time
 * from what they wait for.
 * @throws Error naming `what` after `deadlineMs`. Its cause is the last error that the condition
 *   has thrown.
 */
export const until = async <T>(
  condition: () => T | Promise<T>,
  { deadlineMs = 30_000, what }: { deadlineMs?: number; what: string },
): Promise<Exclude<T, Falsy>> => {
  const begun = performance.now();
  const deadline = begun + deadlineMs;
  let cause: unknown;
  for (;;) {
    const left = Math.max(1, deadline - performance.now());
    const outcome = await Promise.race([attempt(condition), sleep(left, nothing, { ref: false })]);
    if ('value' in outcome && outcome.value) return outcome.value as Exclude<T, Falsy>;
    if ('error' in outcome) cause = outcome.error;
    if (performance.now() >= deadline) {
      throw new Error(`waited ${deadlineMs} ms in vain for ${what}`, { cause });
    }
    const waitedMs = performance.now() - begun;
    await sleep(Math.min(pauseMaxMs, Math.max(pauseMs, waitedMs / 20)));
  }
};

type Falsy = false | null | undefined;

type Outcome<T> = { value: T } | { error: unknown } | Record<never, never>;

const nothing: Outcome<never> = {};

const attempt = async <T>(condition: () => T | Promise<T>): Promise<Outcome<T>> => {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
};
