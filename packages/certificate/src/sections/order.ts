import { addressLabel } from '@pto/proto/location-label';
import type { Block, Fact } from '../document.ts';
import { listOf, type Members, membersOf, numberOf, textOf } from '../history/members.ts';
import type { Subject } from '../history/subject.ts';
import type { Texts } from '../texts/en.ts';
import { limitsText } from './limits-text.ts';
import { personalText } from './personal-text.ts';
import { joined, tableOf, wordOf } from './table.ts';

/** Returns the order, its parties and addresses, and its goods with their seals. */
export const orderSection = (subject: Subject): readonly Block[] => {
  const { texts } = subject;
  return [
    { kind: 'heading', text: texts.order.heading },
    { kind: 'facts', facts: orderFacts(subject) },
    { kind: 'subheading', text: texts.order.parties },
    { kind: 'facts', facts: partyFacts(subject) },
    { kind: 'heading', text: texts.goods.heading },
    ...goods(subject),
  ];
};

const orderFacts = ({ texts, order }: Subject): Fact[] => {
  const words = texts.order;
  const limits = [numberOf(order.temperature_min), numberOf(order.temperature_max)] as const;
  return withValues([
    { label: words.id, value: textOf(order.id) },
    { label: words.externalId, value: textOf(order.external_id) },
    { label: words.status, value: wordOf(texts.statuses, textOf(order.status)) },
    { label: words.cancelReason, value: textOf(order.cancel_reason) },
    { label: words.sla, value: wordOf(texts.slas, textOf(order.sla)) },
    { label: words.created, value: texts.time(textOf(order.created_at)) },
    { label: words.window, value: windowText(texts, order) },
    { label: words.temperature, value: limitsText(texts, ...limits) },
    { label: words.evidence, value: evidenceText(texts, membersOf(order.required_evidence)) },
  ]);
};

const withValues = (facts: readonly Fact[]): Fact[] => facts.filter(({ value }) => value !== '');

const windowText = (texts: Texts, order: Members): string => {
  const [start, end] = [textOf(order.pickup_window_start), textOf(order.pickup_window_end)];
  return [
    ...(start === '' ? [] : [texts.order.from(texts.time(start))]),
    ...(end === '' ? [] : [texts.order.until(texts.time(end))]),
  ].join(' ');
};

const evidenceText = (texts: Texts, evidence: Members): string =>
  Object.entries(evidence)
    .filter(([, methods]) => listOf(methods).length > 0)
    .map(([stage, methods]) => {
      const names = listOf(methods).map((method) => wordOf(texts.methods, textOf(method)));
      return `${wordOf(texts.stages, textOf(stage))}: ${joined(texts, names)}`;
    })
    .join('; ');

const partyFacts = ({ texts, order, entries }: Subject): Fact[] => {
  const assigned = entries.findLast(({ internalType }) =>
    ['ORDER_ASSIGNED', 'ASSIGNMENT_DECLINED'].includes(internalType),
  );
  const driven = entries.findLast(({ internalType }) =>
    ['DRIVER_ASSIGNED', 'DRIVER_RELEASED'].includes(internalType),
  );
  const carrier =
    assigned?.internalType === 'ORDER_ASSIGNED'
      ? textOf(assigned.payload.transport_organization)
      : '';
  const driver =
    driven?.internalType === 'DRIVER_ASSIGNED' ? personalText(texts, driven, 'driver') : null;
  const dropoff = addressText(membersOf(order.dropoff_location));
  return withValues([
    { label: texts.order.pickup, value: addressText(membersOf(order.pickup_location)) },
    { label: texts.order.dropoff, value: dropoff || textOf(order.dropoff_address_text) },
    { label: texts.order.carrier, value: carrier },
    { label: texts.order.driver, value: driver ?? '' },
  ]);
};

/** Returns label and address; not a label that orders made of the address (decision 12). */
const addressText = (location: Members): string => {
  const [label, street, country] = [location.label, location.street, location.country].map(textOf);
  const city = [location.zip, location.city].map(textOf).filter(Boolean).join(' ');
  const isMade = location.label === addressLabel(location);
  return [isMade ? '' : label, street, city, country].filter(Boolean).join(', ');
};

const goods = ({ texts, order }: Subject): readonly Block[] => {
  const items = listOf(order.items);
  if (items.length === 0) return [{ kind: 'paragraph', text: texts.goods.none }];
  const form = {
    name: texts.goods.heading,
    headings: texts.goods.columns,
    shares: [0.1, 0.5, 0.4],
  };
  return [
    { kind: 'paragraph', text: texts.goods.count(items.length) },
    ...tableOf(texts, form, items, (item, n) => {
      const { goods_type, seal_id } = membersOf(item);
      return [[String(n + 1)], [textOf(goods_type)], [textOf(seal_id) || texts.goods.noSeal]];
    }),
  ];
};
