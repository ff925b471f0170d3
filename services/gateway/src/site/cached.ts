/**
 * Returns a function that reads at most one time in `ms`, however many clients ask: all calls of
 * that time share one result, also one in progress.
 * @param read has a deadline shorter than `ms`, and does not reject.
 */
export const cachedFor = <T>(
  ms: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): (() => Promise<T>) => {
  let shared: { readonly result: Promise<T>; readonly at: number } | undefined;
  return () => {
    if (!shared || now() - shared.at >= ms) shared = { result: read(), at: now() };
    return shared.result;
  };
};
