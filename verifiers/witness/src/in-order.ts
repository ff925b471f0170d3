/** Maximum number of calls that wait or run. A further call returns null. */
const waitingMax = 32;

/** Returns a function that runs calls one after the other, in order of arrival. */
export const inOrder = () => {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** @returns what `work` returns; null if too many calls wait. */
  return async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (waiting >= waitingMax) return null;
    waiting++;
    const result = last.then(work);
    last = result.catch(() => {});
    return await result.finally(() => {
      waiting--;
    });
  };
};
