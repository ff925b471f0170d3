/** What makes a measurement void: its sides did not do the same work, or not all of it. */
import { isDeepStrictEqual } from 'node:util';

export class VoidRun extends Error {}

/** @throws VoidRun if the two sides respond with different data. */
export const requireSameResponses = (ours: unknown, theirs: unknown): void => {
  if (!isDeepStrictEqual(ours, theirs))
    throw new VoidRun(
      `the responses differ: ${JSON.stringify(ours)} and ${JSON.stringify(theirs)}`,
    );
};

/** @throws VoidRun if the store has another number of rows than the side's operations wrote. */
export const requireRows = (side: string, operations: number, rows: number): void => {
  if (rows !== operations)
    throw new VoidRun(`${side}: ${operations} operations wrote ${rows} rows`);
};

/** @throws VoidRun for a response with another status than the expected one. */
export const requireStatus = (what: string, expected: number, status: number): void => {
  if (status !== expected) throw new VoidRun(`${what}: status ${status} instead of ${expected}`);
};

/** @throws VoidRun if a side has done nothing: it has no figures. */
export const requireOperations = (side: string, operations: number): void => {
  if (operations === 0) throw new VoidRun(`${side}: no operation was completed`);
};
