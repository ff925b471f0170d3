import type { Block } from '../document.ts';
import type { Subject } from '../history/subject.ts';
import { tableOf, wordOf } from './table.ts';

/** Returns which personal fields were erased, and when. */
export const erasuresSection = ({ texts, entries }: Subject): readonly Block[] => {
  const heading: Block = { kind: 'heading', text: texts.erasures.heading };
  const erased = entries.flatMap(({ number, personal }) =>
    [...personal].flatMap(([field, value]) =>
      value.state === 'erased' ? [{ number, field, at: value.at }] : [],
    ),
  );
  if (erased.length === 0) return [heading, { kind: 'paragraph', text: texts.erasures.none }];
  const form = {
    name: texts.erasures.heading,
    headings: texts.erasures.columns,
    shares: [0.15, 0.45, 0.4],
  };
  return [
    heading,
    ...tableOf(texts, form, erased, ({ number, field, at }) => [
      [String(number)],
      [wordOf(texts.fields, field)],
      [texts.time(at)],
    ]),
    { kind: 'paragraph', text: texts.erasures.note },
  ];
};
