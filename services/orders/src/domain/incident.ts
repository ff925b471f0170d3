/** The life of incidents (decision 88): each is open until a further entry resolves it. */
import { invalid } from '@pto/errors';
import type { Command, JsonObject, OpenIncident, OrderChange, OrderState } from './order.ts';
import { recordedPayload } from './recorded-payload.ts';

/** A person resolves incidents long before an order has so many open ones. */
const openMax = 100;

/** Returns the change by an entry that reports an incident: the order's next one. */
export const opened = (
  { openIncidents, sequence }: OrderState,
  kind: string,
  severity: OpenIncident['severity'],
): OrderChange => ({
  openIncidents: [...openIncidents, { entry: sequence + 1, kind, severity }],
});

/** @throws Failure VALIDATION if the order has 100 open incidents */
export const reportIncident = (
  order: OrderState,
  command: Extract<Command, { name: 'incident' }>,
): { readonly change: OrderChange; readonly payload: JsonObject | null } => {
  const { kind, severity } = command;
  if (order.openIncidents.length >= openMax)
    throw invalid(['incident'], `the order has ${openMax} open incidents; resolve some first`);
  return {
    change: opened(order, kind ?? 'other', severity ?? 'medium'),
    payload: recordedPayload(command),
  };
};

/** @throws Failure VALIDATION if the entry is no open incident of the order */
export const resolveIncident = (
  { openIncidents }: OrderState,
  { incident, note }: Extract<Command, { name: 'resolve' }>,
): { readonly change: OrderChange; readonly payload: JsonObject } => {
  const left = openIncidents.filter(({ entry }) => entry !== incident);
  if (left.length === openIncidents.length) {
    const open = openIncidents.map(({ entry }) => entry).join(', ') || 'none';
    throw invalid(['incident'], `expected the entry of an open incident: ${open}`, incident);
  }
  return { change: { openIncidents: left }, payload: { incident, note } };
};
