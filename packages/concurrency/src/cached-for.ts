/**
 * Returns a function that reads at most one time in `ms`, however many clients ask: all calls of
 * that time share one result, also one in progress.
 * @param read has a deadline of its own. A rejection is shared by the calls that wait for it alone.
 */
export const cachedFor = <T>(
  ms: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): (() => Promise<T>) => {
  let shared: { readonly result: Promise<T>; readonly at: number } | undefined;
  return () => {
    if (!shared || now() - shared.at >= ms) {
      const begun = { result: read(), at: now() };
      shared = begun;
      begun.result.catch(() => {
        if (shared === begun) shared = undefined;
      });
    }
    return shared.result;
  };
};
