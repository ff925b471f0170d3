/**
 * Deadlines at the edge of grpc-js, which takes and returns them by the wall clock. Everywhere else
 * a deadline is a time of `performance.now()`, so that a step of the wall clock changes none.
 */

/** Returns a deadline for grpc-js. Convert immediately before the call. */
export const toWallClock = (deadline: number): number => Date.now() + deadline - performance.now();

/** Returns a deadline of grpc-js as a time of `performance.now()`; Infinity if there is none. */
export const fromWallClock = (deadline: Date | number): number =>
  performance.now() + Number(deadline) - Date.now();
