/** What the workload sent about one order and what it received, with the times of both. */
import { type Action, after, type OrderState } from './order-model.ts';

/** What the caller knows of an invocation. `sequence` is the order's number of events. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly status?: string; readonly sequence?: number }
  | { readonly kind: 'rejected'; readonly status?: string }
  /** No response, or one that leaves open whether the action took effect. */
  | { readonly kind: 'unknown' };

export interface Invocation {
  readonly action: Action;
  /** Unique; operator commands carry the mark into the custody entry's payload. */
  readonly mark: string;
  /** Milliseconds of the workload's monotonic clock. */
  readonly invokedAt: number;
  /** Infinity while the outcome is unknown: the action may take effect at any later time. */
  readonly returnedAt: number;
  readonly outcome: Outcome;
}

/**
 * The order's state after an invocation that took effect at this moment; null where the outcome
 * contradicts the state.
 */
export const apply = (state: OrderState, { action, outcome }: Invocation): OrderState | null => {
  const next = after(state, action);
  switch (outcome.kind) {
    case 'unknown':
      return next;
    case 'rejected':
      return next === null && agrees(outcome.status, state.status) ? state : null;
    case 'accepted':
      if (next === null) return null;
      if (action === 'create' || action === 'createDraft') return next; // may show the first response
      return agrees(outcome.status, next.status) && agrees(outcome.sequence, next.sequence)
        ? next
        : null;
  }
};

const agrees = <T>(seen: T | undefined, actual: T): boolean =>
  seen === undefined || seen === actual;

/** One line per invocation, by the time of its start: for a report. */
export const describe = (history: readonly Invocation[]): string =>
  history
    .toSorted((a, b) => a.invokedAt - b.invokedAt)
    .map(({ action, invokedAt, returnedAt, outcome }) => {
      const span = `${Math.round(invokedAt)}..${Number.isFinite(returnedAt) ? Math.round(returnedAt) : '?'}`;
      const { kind, ...seen } = outcome;
      return `${span} ${action} ${kind} ${Object.values(seen).join(' ')}`.trimEnd();
    })
    .join('; ');
