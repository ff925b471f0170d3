import type { Block } from '../document.ts';
import type { Entry } from '../history/entries.ts';
import { listOf, textOf } from '../history/members.ts';
import type { Subject } from '../history/subject.ts';
import type { Texts } from '../texts/en.ts';
import { personalText } from './personal-text.ts';
import { joined, tableOf, wordOf } from './table.ts';

/** Returns all entries with their hashes. An unknown type is listed by its name. */
export const historySection = ({ texts, entries }: Subject): readonly Block[] => {
  const heading: Block = { kind: 'heading', text: texts.history.heading };
  if (entries.length === 0) return [heading, { kind: 'paragraph', text: texts.history.none }];
  const form = {
    name: texts.history.heading,
    headings: texts.history.columns,
    shares: [0.07, 0.22, 0.36, 0.35],
  };
  return [
    heading,
    ...tableOf(texts, form, entries, (entry) => [
      [String(entry.number)],
      [texts.time(entry.at)],
      [wordOf(texts.events, entry.internalType) || texts.unknown, ...detailLines(texts, entry)],
      [entry.hash],
    ]),
  ];
};

const detailLines = (texts: Texts, entry: Entry): string[] => {
  const { payload } = entry;
  const words = texts.history;
  const seals = listOf(payload.seal_ids);
  const details: readonly (readonly [label: string, value: string | null])[] = [
    [texts.order.carrier, textOf(payload.transport_organization)],
    [texts.order.driver, personalText(texts, entry, 'driver')],
    [words.seals, seals.length === 0 ? '' : String(seals.length)],
    [words.cancelledFrom, wordOf(texts.statuses, textOf(payload.cancelled_from))],
    [words.changed, joined(texts, listOf(payload.fields).map(textOf))],
    [words.reference, textOf(payload.reference)],
    [words.place, textOf(payload.place)],
    [words.temperature, textOf(payload.temperature)],
  ];
  return details.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
};
