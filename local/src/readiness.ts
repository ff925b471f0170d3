import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 100;
const responseTimeoutMs = 3000;

/**
 * Waits until a process says that a request answered now will be answered properly.
 * @throws Error with the reasons it gave last, after `withinMs`; AbortError when told to stop.
 */
export const untilReady = async (
  healthUrl: string,
  withinMs: number,
  signal: AbortSignal,
): Promise<void> => {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const reasons = await reasonsAgainst(healthUrl);
    if (reasons === undefined) return;
    signal.throwIfAborted();
    if (Date.now() > deadline) throw new Error(`not ready after ${withinMs / 1000} s: ${reasons}`);
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
