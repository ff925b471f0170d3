import { setTimeout as sleep } from 'node:timers/promises';

/** Time before the caller's deadline that is left for the response. */
const reserveMs = 500;

/**
 * Runs `work`, and returns an `unreachable` result not before `untilMs` after the start. Such a
 * result then takes the same time for an internal name, an unknown name and a port without a
 * listener: neither its reason nor its duration reveals internal hosts (decision 62).
 * @param untilMs the wait ends earlier if the caller's deadline comes first.
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
