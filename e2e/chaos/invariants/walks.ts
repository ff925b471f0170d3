import type { Invariant } from './violation.ts';

/** Contract 4.3: a walk shows once each order that was acknowledged before the walk began. */
export const walksAreComplete: Invariant = ({ walks, changes }) =>
  walks.flatMap(({ startedAt, ids }, n) => {
    const shown = new Set(ids);
    const due = changes.filter(({ returnedAt }) => returnedAt < startedAt);
    const missed = new Set(due.map(({ orderId }) => orderId).filter((id) => !shown.has(id)));
    return [
      ...(shown.size < ids.length ? [`walk ${n} shows an order twice`] : []),
      ...[...missed].map((id) => `walk ${n} does not show ${id}`),
    ];
  });
