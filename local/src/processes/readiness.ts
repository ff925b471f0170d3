import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 100;
const responseTimeoutMs = 3000;

/**
 * Waits until a process's readiness check succeeds.
 * @throws Error with the last reasons of the check after `withinMs`; the abort error if the signal
 *   aborts.
 */
export const untilReady = async (
  healthUrl: string,
  withinMs: number,
  signal: AbortSignal,
): Promise<void> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const reasons = await reasonsAgainst(healthUrl);
    if (reasons === undefined) return;
    signal.throwIfAborted();
    if (performance.now() > deadline)
      throw new Error(`not ready after ${withinMs / 1000} s: ${reasons}`);
    await sleep(pollMs, undefined, { signal });
  }
};

const reasonsAgainst = async (healthUrl: string): Promise<string | undefined> => {
  try {
    const response = await fetch(healthUrl, { signal: AbortSignal.timeout(responseTimeoutMs) });
    const text = await response.text();
    return response.status === 200 ? undefined : text.trim().replaceAll('\n', '; ');
  } catch {
    return 'it does not answer';
  }
};
