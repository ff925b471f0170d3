import { setImmediate } from 'node:timers/promises';

/**
 * Lets so many begin in one turn of the event loop, and the next ones in the turn after it. Answers
 * come between them: receivers that are fast are met with few connections, which stay in the
 * processor's cache.
 * @returns a function that gives each its turn.
 */
export const createPace = (perTurn: number): (() => Promise<void>) => {
  let turn = Promise.resolve();
  let begun = 0;
  return () => {
    if (++begun % perTurn === 0) turn = turn.then(() => setImmediate());
    return turn;
  };
};
