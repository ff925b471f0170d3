import { commandRows } from '@pto/proto/order-commands';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useRef, useState } from 'react';
import { hasIncident } from '../../board/columns.ts';
import { commandsOf, type Flow, flowOf, type Given } from '../../board/flows.ts';
import { dropBatch, type StepCommand, undoMs } from '../../board/steps.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { wordOf } from '../../parts/badge.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useKeys } from '../../parts/use-keys.ts';
import { isPossible, nameOf } from './step-window.tsx';
import { focusCard, useKeptPlace } from './use-kept-place.ts';
import { useSteps } from './use-steps.ts';
import { resolve, useVerb } from './use-verb.ts';

/** Whether nothing comes before an order's next step. */
const isPlain = (order: OpenOrder): boolean =>
  order.missingEvidence.length === 0 && !hasIncident(order);

/** Returns what an order is after a command, in words. */
const outcomeOf = ({ rpc }: StepCommand): string =>
  wordOf(commandRows.find(({ call }) => call?.rpc === rpc)!.change.to);

/** What orders take together is named by: the step, and the carrier whose driver it asks for; empty: none. */
const togetherBy = (order: OpenOrder): string => {
  const { verb, asks } = flowOf(order) ?? { verb: '' };
  return asks === 'driver' ? `${verb}, ${order.transportOrganization}` : verb;
};

/** What the key `a` is for. */
const assignable: readonly string[] = ['SUBMITTED', 'ACCEPTED'];

/**
 * What a dispatcher does at the board: moves among the cards, selects, opens, and takes next steps, by
 * keys and pointer. @param columns the cards, as the keys `j` and `k` pass through them.
 * @param opens opens an order elsewhere than beside the board.
 */
export const useDesk = (
  columns: readonly (readonly OpenOrder[])[],
  opens?: (id: string) => void,
) => {
  const sequence = columns.flat();
  const address = useAddress();
  const verbOf = useVerb();
  const { by, steps, list, last } = useSteps();
  const openId = address.get('order');
  const [currentId, setCurrent] = useState(openId);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<{ flow: Flow; orders: readonly OpenOrder[] }>();
  const [resolving, setResolving] = useState<OpenOrder>();
  const withCommandId = useCommandIds();
  const current = sequence.find(({ id }) => id === currentId) ?? sequence[0];
  const pending = new Map(list.map(({ orderId, words }) => [orderId, words]));

  const done = useRef(new Set<string>()).current;
  useKeptPlace(columns, currentId, setCurrent, (id) => done.has(id) || id === openId);

  const open = (id: string) => {
    if (id !== '') setCurrent(id);
    (opens ?? ((order) => address.set({ order })))(id);
  };
  const select = (id: string) =>
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  /** Selects a whole column, or nothing of it if it is selected. */
  const selectAll = (column: readonly OpenOrder[] = []) => {
    const ids = column.map(({ id }) => id);
    setSelected((before) => {
      const others = [...before].filter((id) => !ids.includes(id));
      return new Set(ids.every((id) => before.has(id)) ? others : [...before, ...ids]);
    });
  };
  const take = (flow: Flow, orders: readonly OpenOrder[], given: Given) => {
    const act = crypto.randomUUID();
    for (const order of orders) {
      done.add(order.id);
      const commands = commandsOf(order, given);
      const outcome = outcomeOf(commands.at(-1)!);
      steps.add({
        ...{ id: crypto.randomUUID(), orderId: order.id, by, commands },
        words: `${flow.verb} ${nameOf(order)}`,
        ...(orders.length > 1 && { act: { id: act, of: orders.length, outcome } }),
        sendAt: Date.now() + (flow.isFinal ? 0 : undoMs),
      });
    }
    const taken = new Set(orders.map(({ id }) => id));
    if (orders.length > 1) {
      const column = columns.find((one) => one.includes(orders[0]!));
      setCurrent(column?.find(({ id }) => !taken.has(id))?.id ?? '');
      scrollTo(0, 0); // many cards leave: the page begins again at what is left
    }
    setSelected((before) => new Set([...before].filter((id) => !taken.has(id))));
  };
  /** Does the next step of orders that have the same one, or asks for what it needs. */
  const next = (orders: readonly OpenOrder[]) => {
    const free = orders.filter(({ id }) => !pending.has(id));
    const [first] = free;
    const flow = first && flowOf(first);
    const verb = first && verbOf(first);
    if (!flow || !verb || free.some(({ status }) => status !== first.status)) return;
    if (verb === resolve) {
      done.add(first.id);
      if (selected.has(first.id)) select(first.id); // its next step is another one
      return setResolving(first);
    }
    // what the order requires is recorded on its page
    if (!free.every(isPlain) || !isPossible(free, flow)) open(first.id);
    else if (flow.asks === null) take(flow, free, {});
    else setAsking({ flow, orders: free });
  };
  const marked = sequence.filter(({ id }) => selected.has(id));
  const chosen = () => (marked.length > 0 ? marked : current ? [current] : []);
  /** The steps that several of the selected orders can take together. */
  const groups = [...Map.groupBy(marked.filter(isPlain), togetherBy)].flatMap(([of, orders]) =>
    of !== '' && isPossible(orders, flowOf(orders[0]!)!)
      ? [{ of, count: orders.length, take: () => next(orders) }]
      : [],
  );
  const goTo = (to: OpenOrder | undefined) => {
    if (!to) return;
    setCurrent(to.id);
    focusCard(to.id);
  };
  const move = (n: number) => {
    const at = sequence.indexOf(current!) + n;
    goTo(sequence[Math.max(0, Math.min(sequence.length - 1, at))]);
  };
  /** Goes to the first card of another column. */
  const jump = (n: number) => {
    const filled = columns.filter((column) => column.length > 0);
    goTo(filled[filled.findIndex((column) => column.includes(current!)) + n]?.[0]);
  };
  const leave = () => {
    if (openId === '') return setSelected(new Set());
    open('');
    focusCard(current?.id ?? '');
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    J: () => jump(1),
    K: () => jump(-1),
    Enter: () => current && open(current.id),
    n: () => (groups[0] ? groups[0].take() : next(chosen())),
    a: () => next(chosen().filter(({ status }) => assignable.includes(status))),
    x: () => current && select(current.id),
    X: () => selectAll(columns.find((column) => column.includes(current!))),
    u: () => dropBatch(steps, list.at(-1)),
    Escape: leave,
  });
  return {
    ...{ steps, list, last, pending, current, openId, selected, open, select, selectAll, leave },
    /** How many orders of how many columns are selected. */
    marked: marked.length,
    markedIn: columns.filter((column) => column.some(({ id }) => selected.has(id))).length,
    groups,
    /** How many of them can take their steps only one by one. */
    alone: groups.reduce((left, { count }) => left - count, marked.length),
    selectNone: () => setSelected(new Set()),
    resolving: resolving && {
      ...{ order: resolving, withCommandId },
      onClose: () => setResolving(undefined),
    },
    /** The next step of one order. */
    next: (id: string) => next(sequence.filter((one) => one.id === id)),
    /** The step that waits for what the person gives; undefined: none. */
    asking: asking && {
      ...asking,
      onClose: () => setAsking(undefined),
      onGiven: (given: Given) => take(asking.flow, asking.orders, given),
    },
  };
};
