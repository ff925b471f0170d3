import { setImmediate } from 'node:timers/promises';

/**
 * Lets at most `perTurn` tasks start in one iteration of the event loop. Node handles responses
 * between two iterations, so the tasks of the next iteration can reuse a fast receiver's
 * connection.
 * @returns a function whose promise resolves when its caller may start.
 */
export const createPace = (perTurn: number): (() => Promise<void>) => {
  let turn = Promise.resolve();
  let begun = 0;
  return () => {
    if (++begun % perTurn === 0) turn = turn.then(() => setImmediate());
    return turn;
  };
};
