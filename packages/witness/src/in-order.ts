/** So many calls may wait; one more is rejected. */
const waitingMax = 32;

/** Runs calls one after the other, in the order they came in. */
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
