import { setImmediate } from 'node:timers/promises';

/**
 * Limits how many tasks start in one iteration of the event loop. Responses are handled between two
 * iterations, so fast receivers need few connections.
 * @returns a function whose promise resolves when the caller may start.
 */
export const createPace = (perTurn: number): (() => Promise<void>) => {
  let turn = Promise.resolve();
  let begun = 0;
  return () => {
    if (++begun % perTurn === 0) turn = turn.then(() => setImmediate());
    return turn;
  };
};
