/**
 * What the workload sent about one order and what it received, with the times of both, and whether
 * this has a sequential explanation.
 */
import { type Action, absent, after, type OrderState } from './order-model.ts';

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
const apply = (state: OrderState, { action, outcome }: Invocation): OrderState | null => {
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

const configurationsMax = 200_000;

/**
 * Wing and Gong's check ("Testing and verifying concurrent objects", 1993) with Lowe's memory of
 * visited configurations: is there one order of the invocations, each between its call and its
 * response, in which every response is right? `undecided`: the search was ended at its bound.
 */
export const checkLinearizable = (
  history: readonly Invocation[],
): 'linearizable' | 'not linearizable' | 'undecided' => {
  const seen = new Set<string>();
  const open: { done: bigint; state: OrderState }[] = [{ done: 0n, state: absent }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { done, state } = at;
    const configuration = `${done} ${Object.values(state).join(' ')}`;
    if (seen.has(configuration)) continue;
    seen.add(configuration);
    if (seen.size > configurationsMax) return 'undecided';
    const left = history
      .map((invocation, n) => ({ invocation, bit: 1n << BigInt(n) }))
      .filter(({ bit }) => (done & bit) === 0n);
    const firstReturn = Math.min(...left.map(({ invocation }) => invocation.returnedAt));
    if (firstReturn === Number.POSITIVE_INFINITY) return 'linearizable';
    for (const { invocation, bit } of left) {
      if (invocation.invokedAt > firstReturn) continue;
      const next = apply(state, invocation);
      if (next !== null) open.push({ done: done | bit, state: next });
    }
  }
  return 'not linearizable';
};

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
