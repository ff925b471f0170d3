/** Where an order stands on the board, and in which sequence. Pure. */
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { custodyStatuses, severities } from '@pto/proto/vocabulary';
import type { UntoldOrder } from '@pto/proto/webhooks/v1/webhooks';

/** The columns, what must be done first at the beginning; `later` is no column of the board. */
export const columns = {
  exceptions: 'Exceptions',
  late: 'Late',
  due: 'Due within the hour',
  mine: 'Waiting for me',
  moving: 'Under way',
  later: 'Later',
} as const;
export type Column = keyof typeof columns;

/** An incident that is not resolved, as in the partners' API. */
export interface OpenIncident {
  readonly entry: number;
  readonly kind: string;
  readonly severity: string;
}

export const incidentsOf = ({ openIncidentsJson: json }: WithIncidents): readonly OpenIncident[] =>
  json === undefined ? [] : JSON.parse(json);

type WithIncidents = Pick<OpenOrder, 'openIncidentsJson'>;

const isEscalation = ({ kind }: OpenIncident): boolean => kind === 'escalation';

export const isEscalated = (order: WithIncidents): boolean => incidentsOf(order).some(isEscalation);

/** The open incidents but escalations. */
const troublesOf = (order: WithIncidents) => incidentsOf(order).filter((one) => !isEscalation(one));

/** Whether an incident, not an escalation alone, is open: it comes before the next step. */
export const hasIncident = (order: WithIncidents): boolean => troublesOf(order).length > 0;

const hourMs = 3_600_000;
const moving: readonly string[] = [...custodyStatuses, 'DELIVERED'];

/** Whether the pick-up has begun. */
export const isUnderWay = ({ status }: Pick<OpenOrder, 'status'>): boolean =>
  moving.includes(status);

/** Returns the time until which the pick-up must begin. */
export const dueOf = ({
  pickupWindowEnd,
  pickupWindowStart,
}: Pick<OpenOrder, 'pickupWindowStart' | 'pickupWindowEnd'>): string =>
  pickupWindowEnd ?? pickupWindowStart;

/** One of the endpoints that were not told of an order, by the order's id. */
export type Untold = ReadonlyMap<string, Pick<UntoldOrder, 'endpointId' | 'endpointAddress'>>;

const untoldOf = ({ id }: OpenOrder, untold: Untold | undefined): string[] =>
  untold?.has(id) ? [`not told: ${untold.get(id)!.endpointAddress}`] : [];

/** An endpoint that was not told of more orders than these is one exception, not one of each order. */
const ownMax = 3;

/** Returns the orders of each such endpoint, by the endpoint's id. */
export const sharedBy = (
  orders: readonly OpenOrder[],
  untold: Untold | undefined,
): ReadonlyMap<string | undefined, readonly OpenOrder[]> => {
  const groups = Map.groupBy(orders, ({ id }) => untold?.get(id)?.endpointId);
  return new Map([...groups].filter(([id, of]) => id !== undefined && of.length > ownMax));
};

/** Returns what no shared endpoint says: these are exceptions of their orders. */
const ownOf = (shared: ReturnType<typeof sharedBy>, untold: Untold | undefined): Untold =>
  new Map([...(untold ?? [])].filter(([, { endpointId }]) => !shared.has(endpointId)));

/** Returns why an order needs a person, in words; empty: nothing is wrong. */
export const exceptionsOf = (order: OpenOrder, untold?: Untold): string[] => [
  ...troublesOf(order).map(
    ({ kind, severity }) => `${kind === 'other' ? 'incident' : kind}, ${severity}`,
  ),
  ...(order.hasCustodyFault ? ['custody fault'] : []),
  ...order.lockedCodes.map((side) => `code locked: ${side}`),
  ...(order.status === 'DELIVERED' && order.missingEvidence.length > 0
    ? [`evidence missing: ${order.missingEvidence.join(', ').replaceAll('_', ' ')}`]
    : []),
  ...untoldOf(order, untold),
];

/** @param now in ms since the epoch. */
export const columnOf = (order: OpenOrder, now: number, untold?: Untold): Column => {
  if (exceptionsOf(order, untold).length > 0) return 'exceptions';
  if (isUnderWay(order)) return isEscalated(order) ? 'mine' : 'moving';
  const leftMs = Date.parse(dueOf(order)) - now;
  if (leftMs < 0 || (order.pickupEta ?? '') > dueOf(order)) return 'late';
  if (leftMs < hourMs) return 'due';
  return order.status === 'SUBMITTED' || isEscalated(order) ? 'mine' : 'later';
};

const urgencies: readonly string[] = ['CRITICAL', 'EXPRESS', 'STANDARD'];

/** What ends first stands first; of two that end together, the more urgent one. */
export const inSequence = (one: OpenOrder, other: OpenOrder): number =>
  Date.parse(dueOf(one)) - Date.parse(dueOf(other)) ||
  urgencies.indexOf(one.sla) - urgencies.indexOf(other.sla) ||
  (one.id < other.id ? -1 : 1);

/** The severest open incident, as its place among the severities; -1: none is open. */
const severityOf = (order: OpenOrder): number => Math.max(-1, ...incidentsOf(order).map(rankOf));

const ranks: readonly string[] = severities;
/** The place of an incident's severity among the severities, from 0, the lowest. */
export const rankOf = ({ severity }: Pick<OpenIncident, 'severity'>): number =>
  ranks.indexOf(severity);

/** The worst exception first: an escalated one, then the severest, then the most urgent. */
const byDanger = (one: OpenOrder, other: OpenOrder): number =>
  Number(isEscalated(other)) - Number(isEscalated(one)) ||
  severityOf(other) - severityOf(one) ||
  urgencies.indexOf(one.sla) - urgencies.indexOf(other.sla);

/** Returns the orders of each column, in their sequence; exceptions by their danger first. */
export const boardOf = (
  orders: readonly OpenOrder[],
  now: number,
  untold?: Untold,
): Readonly<Record<Column, readonly OpenOrder[]>> => {
  const board = Object.fromEntries(
    Object.keys(columns).map((column) => [column, [] as OpenOrder[]]),
  ) as Record<Column, OpenOrder[]>;
  const own = ownOf(sharedBy(orders, untold), untold);
  for (const order of orders) board[columnOf(order, now, own)].push(order);
  for (const column of Object.values(board)) column.sort(inSequence);
  board.exceptions.sort(byDanger); // keeps the sequence
  return board;
};

/** What asks for attention, by a key that stays the same: an order, and why. */
export type Calls = ReadonlyMap<string, { readonly order: OpenOrder; readonly why: string }>;

const callsBy = (orders: readonly OpenOrder[], whyOf: (order: OpenOrder) => string[]): Calls =>
  new Map(
    orders.flatMap((order) =>
      whyOf(order).map((why) => [`${order.id} ${why}`, { order, why }] as const),
    ),
  );

/** Returns the urgent new orders and the exceptions that the orders themselves say. */
export const callsOf = (orders: readonly OpenOrder[]): Calls =>
  callsBy(orders, (order) => [
    ...(order.status === 'SUBMITTED' && order.sla !== 'STANDARD'
      ? [`new, ${order.sla.toLowerCase()}`]
      : []),
    ...exceptionsOf(order),
  ]);

/** Returns the orders of which an endpoint was not told, of many by one endpoint the first. */
export const untoldCallsOf = (orders: readonly OpenOrder[], untold: Untold): Calls => {
  const shared = sharedBy(orders, untold);
  const own = ownOf(shared, untold);
  return new Map([
    ...callsBy(orders, (order) => untoldOf(order, own)),
    ...[...shared].map(([id, [order]]) => {
      const why = `${untoldOf(order!, untold)}, of more than ${ownMax} orders`;
      return [`${id}`, { order: order!, why }] as const;
    }),
  ]);
};

/** How many orders are late or exceptions: what is due or waits in time is no alarm. */
export const alarmsIn = ({ late, exceptions }: ReturnType<typeof boardOf>): number =>
  late.length + exceptions.length;
