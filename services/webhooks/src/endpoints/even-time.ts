import { setTimeout as sleep } from 'node:timers/promises';

/** Left of the caller's time for the response to reach it. */
const reserveMs = 500;

/**
 * Waits with an `unreachable` result until the time to connect is over. Such a result then takes the
 * same time for an internal name, an unknown name and a port without a listener, so that time tells
 * a partner as little as the reason does (decision 62).
 * @param untilMs since the start of `work`; never past the caller's deadline.
 */
export const inEvenTime = async <T>(
  work: () => Promise<T>,
  isUnreachable: (result: T) => boolean,
  { untilMs, deadline }: { untilMs: number; deadline: number },
): Promise<T> => {
  const end = performance.now() + Math.min(untilMs, deadline - reserveMs - Date.now());
  const result = await work();
  const left = end - performance.now();
  if (isUnreachable(result) && left > 0) await sleep(left);
  return result;
};
