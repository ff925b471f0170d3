import { chartOf } from '../chart/chart-of.ts';
import type { Block, Fact } from '../document.ts';
import { type ConditionRecord, conditionOf, recordsOfHistory } from '../history/conditions.ts';
import type { Subject } from '../history/subject.ts';
import { duration } from '../texts/clock-time.ts';
import type { Texts } from '../texts/en.ts';
import { limitsText } from './limits-text.ts';
import { tableOf, wordOf } from './table.ts';

/** Maximum number of temperature records that are shown with all details. */
const recordsMax = 20;

/** Maximum number of excursions that are listed for one record. */
const excursionsMax = 50;

/** Returns the recorded temperatures: device, calibration, limits, extremes and excursions. */
export const conditionsSection = ({ texts, entries }: Subject): readonly Block[] => {
  const heading: Block = { kind: 'heading', text: texts.conditions.heading };
  const all = recordsOfHistory(entries);
  if (all.length === 0) return [heading, { kind: 'paragraph', text: texts.conditions.none }];
  const records = all.slice(0, recordsMax).map(conditionOf);
  const chart = chartOf(records, texts);
  const more = all.length - records.length;
  return [
    heading,
    ...(chart === null
      ? []
      : [
          { kind: 'chart', name: texts.conditions.chart, chart } as const,
          { kind: 'paragraph', text: texts.conditions.chartNote } as const,
        ]),
    ...records.flatMap((record) => recordBlocks(texts, record)),
    ...(more > 0 ? [{ kind: 'paragraph', text: texts.moreRows(more) } as const] : []),
  ];
};

const recordBlocks = (texts: Texts, record: ConditionRecord): readonly Block[] => {
  const words = texts.conditions;
  const warnings = [
    ...(record.excursionCount > 0
      ? [words.excursionNotice(record.excursionCount, duration(record.excursionSeconds))]
      : []),
    ...(record.calibrationExpired ? [words.calibrationExpired] : []),
  ];
  return [
    { kind: 'subheading', text: words.record(record.entry) },
    ...warnings.map((title) => ({ kind: 'notice', tone: 'warning', title, lines: [] }) as const),
    { kind: 'facts', facts: factsOf(texts, record) },
    ...excursionTable(texts, record),
  ];
};

const factsOf = (texts: Texts, record: ConditionRecord): Fact[] => {
  const words = texts.conditions;
  const { minimum, mean, maximum, gapSeconds, recordedBy } = record;
  const measured = [minimum, mean, maximum].map((value) =>
    value === null ? texts.unknown : texts.temperature(value, record.unit),
  );
  const facts = [
    { label: words.device, value: record.device },
    { label: words.calibration, value: calibrationText(texts, record) },
    { label: words.period, value: `${texts.time(record.from)} – ${texts.time(record.to)}` },
    {
      label: words.readings,
      value: words.readingsOf(record.count, gapSeconds === null ? '' : duration(gapSeconds)),
    },
    {
      label: words.limits,
      value: limitsText(texts, record.limitMin, record.limitMax) || words.noLimits,
    },
    { label: words.measured, value: measured.join(' / ') },
    {
      label: words.excursions,
      value:
        record.excursionCount === 0
          ? words.noExcursions
          : words.excursionsOf(record.excursionCount, duration(record.excursionSeconds)),
    },
    { label: words.file, value: record.readingsHash },
    { label: words.recordedBy, value: wordOf(words.recorders, recordedBy) },
  ];
  return facts.filter(({ value }) => value !== '');
};

const calibrationText = (texts: Texts, record: ConditionRecord): string => {
  const { calibrationReference: reference, calibrationDate: date, calibrationExpired } = record;
  const words = texts.conditions;
  const parts = [
    reference,
    date === '' ? '' : texts.day(date),
    calibrationExpired ? words.calibrationExpiredShort : '',
  ];
  return parts.filter(Boolean).join(', ') || words.calibrationUnknown;
};

const excursionTable = (texts: Texts, record: ConditionRecord): readonly Block[] => {
  if (record.excursions.length === 0) return [];
  const words = texts.conditions;
  const form = {
    name: words.excursions,
    headings: words.excursionColumns,
    shares: [0.24, 0.24, 0.16, 0.2, 0.16],
    max: excursionsMax,
  };
  return tableOf(texts, form, record.excursions, ({ from, to, seconds, limit, extreme }) => [
    [texts.time(from)],
    [texts.time(to)],
    [duration(seconds)],
    [limit === 'min' ? words.below : words.above],
    [extreme === null ? texts.unknown : texts.temperature(extreme, record.unit)],
  ]);
};
