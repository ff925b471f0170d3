import type { Invariant } from './violation.ts';

/** Decision 14: a poll shows every change that was acknowledged before the poll began. */
export const pollsMissNothing: Invariant = ({ polls, changes, orders }) => {
  const finals = orders.map(({ id, updatedAt }) => ({
    orderId: id,
    updatedAt,
    returnedAt: Number.NEGATIVE_INFINITY,
  }));
  const last = polls.at(-1)?.startedAt ?? Number.NEGATIVE_INFINITY;
  return [...changes, ...finals].flatMap(({ orderId, updatedAt, returnedAt }) => {
    // the final state counts at the last poll, a change at the first poll after its response
    const from = returnedAt === Number.NEGATIVE_INFINITY ? last : returnedAt;
    const due = polls.findIndex(({ startedAt }) => startedAt >= from);
    if (due < 0) return [];
    const shown = polls.slice(0, due + 1).some((poll) => (poll.shown[orderId] ?? '') >= updatedAt);
    return shown ? [] : [`poll ${due} did not show the change of ${orderId} at ${updatedAt}`];
  });
};
