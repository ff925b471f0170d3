/** What the workload promises of an observation; chains.ts and webhooks.ts have two of it. */
import { checkLinearizable, describe, type Invocation } from '../history.ts';
import type { Invariant, Observation, Violation } from '../observation.ts';
import { chainsAgreeWithOrders } from './chains.ts';
import { webhooksAreComplete } from './webhooks.ts';

/** Every acknowledged order exists once, by its id, its Idempotency-Key and its external_id. */
const ordersExistOnce: Invariant = ({ slots, orders }) => {
  const ids = orders.map(({ id }) => id);
  const twice = ids.filter((id, n) => ids.indexOf(id) !== n);
  const known = new Set(slots.map(({ name }) => name));
  return [
    ...twice.map((id) => `the list shows order ${id} twice`),
    ...orders
      .filter(({ externalId }) => externalId === null || !known.has(externalId))
      .map(({ id, externalId }) => `order ${id} (${externalId}) was never requested`),
    ...slots.flatMap(({ name, ids, responses }) => {
      const named = orders.filter(({ externalId }) => externalId === name).map(({ id }) => id);
      const acknowledged = [...new Set(ids)];
      return [
        ...(acknowledged.length > 1 ? [`${name} was acknowledged as ${acknowledged}`] : []),
        ...(named.length > 1 ? [`external_id ${name} names ${named}`] : []),
        ...acknowledged
          .filter((id) => !named.includes(id))
          .map((id) => `${name} was acknowledged as ${id} and is not listed`),
        ...(new Set(responses).size > 1 ? [`responses to one key of ${name} differ`] : []),
      ];
    }),
  ];
};

/** The invocations of each order, and what the order is at the end, have a sequential explanation. */
const historiesAreLinearizable: Invariant = ({ slots, orders }) =>
  slots.flatMap(({ name, history }) => {
    const order = orders.find(({ externalId }) => externalId === name);
    const times = history.flatMap(({ invokedAt, returnedAt }) => [invokedAt, returnedAt]);
    const end = Math.max(0, ...times.filter(Number.isFinite)) + 1;
    const last: Invocation = {
      action: 'read',
      mark: '',
      invokedAt: end,
      returnedAt: end + 1,
      outcome: order
        ? { kind: 'accepted', status: order.status, sequence: order.sequence }
        : { kind: 'rejected' },
    };
    const whole = [...history, last];
    const verdict = checkLinearizable(whole);
    return verdict === 'linearizable' ? [] : [`${name} is ${verdict}: ${describe(whole)}`];
  });

/** Decision 14: a poll shows every change that was acknowledged before the poll began. */
const pollsMissNothing: Invariant = ({ polls, changes, orders }) => {
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

/** Contract 4.3: a walk shows once each order that was acknowledged before the walk began. */
const walksAreComplete: Invariant = ({ walks, changes }) =>
  walks.flatMap(({ startedAt, ids }, n) => {
    const shown = new Set(ids);
    const due = changes.filter(({ returnedAt }) => returnedAt < startedAt);
    const missed = new Set(due.map(({ orderId }) => orderId).filter((id) => !shown.has(id)));
    return [
      ...(shown.size < ids.length ? [`walk ${n} shows an order twice`] : []),
      ...[...missed].map((id) => `walk ${n} does not show ${id}`),
    ];
  });

/** More than three times what a process of the local stack takes under this load. */
const residentMaxBytes = 600 * 2 ** 20;

/** No process's resident memory exceeded the bound at any sample. */
const noProcessGrew: Invariant = ({ processes }) =>
  processes
    .filter(({ rssMaxBytes }) => rssMaxBytes > residentMaxBytes)
    .map(({ name, pid, rssMaxBytes }) => `${name} (${pid}) took ${rssMaxBytes} bytes`);

/** Every invariant by its name in the report. */
const invariants: Readonly<Record<string, Invariant>> = {
  'orders exist once': ordersExistOnce,
  'histories are linearizable': historiesAreLinearizable,
  'chains agree with orders': chainsAgreeWithOrders,
  'webhooks are complete': webhooksAreComplete,
  'polls miss nothing': pollsMissNothing,
  'list walks are complete': walksAreComplete,
  'no process grew': noProcessGrew,
  'the ledger is valid': ({ ledgerFaults }) => ledgerFaults,
  'no message is parked': ({ deadLetters }) => deadLetters,
  'responses are documented': ({ unexpected }) => unexpected,
  'the system converges': ({ notConverged }) => notConverged,
};

/** @returns all contradictions between the observation and the invariants. */
export const check = (seen: Observation): Violation[] =>
  Object.entries(invariants).flatMap(([invariant, holds]) =>
    holds(seen).map((detail) => ({ invariant, detail })),
  );
