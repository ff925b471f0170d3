import type { FeedEvent } from '../../../typescript/src/index.ts';

/** Events that `listen` waits for. */
export interface Goal {
  /** Ends when this event came; null goes on until all of `missing` came. */
  readonly until: string | null;
  /** Id or `external_id` of the order whose events count; null for all orders. */
  readonly order: string | null;
  /** Events that were expected and did not come yet. */
  readonly missing: Set<string>;
}

/** Whether an event is one of the order with this id or `external_id`; null is any order. */
export const isOf = (order: string | null, { data }: FeedEvent): boolean =>
  order === null || data.order.id === order || data.order.external_id === order;

/** Whether there is something to wait for. */
export const hasGoal = ({ until, missing }: Goal): boolean => until !== null || missing.size > 0;

/** Records an event that came. @returns whether `listen` ends now */
export const reached = (goal: Goal, event: FeedEvent): boolean => {
  if (!isOf(goal.order, event)) return false;
  const isAwaited = goal.missing.delete(event.event);
  return goal.until === null ? isAwaited && goal.missing.size === 0 : goal.until === event.event;
};

/** Returns what did not come, as text for people; null if all came. */
export const missingText = ({ missing }: Goal): string | null =>
  missing.size === 0 ? null : [...missing].join(', ');
