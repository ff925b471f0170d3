/** Events that `listen` waits for. */
export interface Goal {
  /** Ends when this event came; null goes on until all of `missing` came. */
  readonly until: string | null;
  /** Events that were expected and did not come yet. */
  readonly missing: Set<string>;
}

/** Whether there is something to wait for. */
export const hasGoal = ({ until, missing }: Goal): boolean => until !== null || missing.size > 0;

/** Records an event that came. @returns whether `listen` ends now */
export const reached = (goal: Goal, event: string): boolean => {
  const isAwaited = goal.missing.delete(event);
  return goal.until === null ? isAwaited && goal.missing.size === 0 : goal.until === event;
};

/** Returns what did not come, as text for people; null if all came. */
export const missingText = ({ missing }: Goal): string | null =>
  missing.size === 0 ? null : [...missing].join(', ');
