/**
 * Slows live pages down while little of the budget of reads is left, which all sessions of a key
 * share: so a hospital's many browsers read more seldom, and none is rejected.
 */

/** Share of the budget that is left, 0 to 1, as the last response to a read says. */
let left = 1;

/** Returns by how many times a live page reads more seldom. @param share of the budget, 0 to 1. */
export const slowedBy = (share: number): number => {
  if (share >= 0.5) return 1;
  return share >= 0.25 ? 4 : 12;
};

/** Notes what the response to a read says about the budget. */
export const noteBudget = ({ headers }: Pick<Response, 'headers'>): void => {
  const limit = Number(headers.get('x-ratelimit-limit'));
  if (limit > 0) left = Number(headers.get('x-ratelimit-remaining')) / limit;
};

/** Returns a function that returns the time until a live page's next read. @param ms usual time. */
export const paced = (ms: number) => (): number => ms * slowedBy(left);
