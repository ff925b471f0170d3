import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before the caller's deadline that stay reserved for the response. */
export const reserveMs = 500;

/**
 * Runs `work`. Delays a result that `isUnreachable` selects until `untilMs` milliseconds after the
 * start, or until shortly before the caller's deadline, if that is earlier. So this result takes
 * the same time for an internal name, an unknown name and a port without a listener: neither its
 * reason nor its duration reveals internal hosts (decision 62).
 */
export const inConstantTime = async <T>(
  work: () => Promise<T>,
  isUnreachable: (result: T) => boolean,
  { untilMs, deadline }: { untilMs: number; deadline: number },
): Promise<T> => {
  const end = Math.min(performance.now() + untilMs, deadline - reserveMs);
  const result = await work();
  const left = end - performance.now();
  if (isUnreachable(result) && left > 0) await sleep(left);
  return result;
};
