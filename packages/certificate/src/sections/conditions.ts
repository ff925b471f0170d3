import { chartOf } from '../chart/chart-of.ts';
import type { Block, Fact } from '../document.ts';
import { type ConditionRecord, conditionOf, recordsOfHistory } from '../history/conditions.ts';
import type { RecordExcursions } from '../history/custody.ts';
import type { CustodyTimes, Subject } from '../history/subject.ts';
import { duration } from '../texts/clock-time.ts';
import type { Texts } from '../texts/en.ts';
import { coverageText } from './coverage-text.ts';
import { limitsText } from './limits-text.ts';
import { tableOf, wordOf } from './table.ts';

/** Maximum number of temperature records that are shown with all details. */
const recordsMax = 20;

/** Maximum number of excursions that are listed for one record. */
const excursionsMax = 50;

/** Returns the recorded temperatures: device, calibration, limits, extremes and excursions. */
export const conditionsSection = ({ texts, entries, custody }: Subject): readonly Block[] => {
  const heading: Block = { kind: 'heading', text: texts.conditions.heading };
  const all = recordsOfHistory(entries);
  if (all.length === 0) return [heading, { kind: 'paragraph', text: texts.conditions.none }];
  const records = all.slice(0, recordsMax).map(conditionOf);
  const chart = chartOf(records, texts, spanOf(custody));
  const more = all.length - records.length;
  return [
    heading,
    ...(chart === null
      ? []
      : [
          { kind: 'chart', name: texts.conditions.chart, chart } as const,
          { kind: 'paragraph', text: texts.conditions.chartNote } as const,
        ]),
    ...records.flatMap((record) => recordBlocks(texts, record, custody)),
    ...(more > 0 ? [{ kind: 'paragraph', text: texts.moreRows(more) } as const] : []),
  ];
};

const spanOf = ({ from, to }: CustodyTimes) => ({
  ...(from !== null && { from: Date.parse(from) }),
  ...(to !== null && { to: Date.parse(to) }),
});

const recordBlocks = (
  texts: Texts,
  record: ConditionRecord,
  custody: CustodyTimes,
): readonly Block[] => {
  const words = texts.conditions;
  const { count, seconds } = record.excursions;
  const outside = record.custody?.outside;
  const warnings = [
    ...(count > 0 ? [words.excursionNotice(count, duration(seconds))] : []),
    ...(record.calibrationExpired ? [words.calibrationExpired] : []),
  ];
  return [
    { kind: 'subheading', text: words.record(record.entry) },
    ...warnings.map((title) => ({ kind: 'notice', tone: 'warning', title, lines: [] }) as const),
    { kind: 'facts', facts: factsOf(texts, record, custody) },
    ...excursionTable(texts, record, words.excursions, record.excursions),
    ...(outside && outside.count > 0
      ? [
          {
            kind: 'paragraph',
            text: words.outside(outside.count, duration(outside.seconds)),
          } as const,
          ...excursionTable(texts, record, words.outsideTable, outside),
        ]
      : []),
  ];
};

const factsOf = (texts: Texts, record: ConditionRecord, custody: CustodyTimes): Fact[] => {
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
    { label: words.covered, value: coverageText(texts, record, custody) },
    {
      label: words.excursions,
      value:
        record.excursions.count === 0
          ? record.custody?.covered === null
            ? '' // limits judge nothing outside of the custody
            : words.noExcursions
          : words.excursionsOf(record.excursions.count, duration(record.excursions.seconds)),
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

const excursionTable = (
  texts: Texts,
  record: ConditionRecord,
  name: string,
  { listed }: RecordExcursions,
): readonly Block[] => {
  if (listed.length === 0) return [];
  const words = texts.conditions;
  const form = {
    name,
    headings: words.excursionColumns,
    shares: [0.24, 0.24, 0.16, 0.2, 0.16],
    max: excursionsMax,
  };
  return tableOf(texts, form, listed, ({ from, to, seconds, limit, extreme }) => [
    [texts.time(from)],
    [texts.time(to)],
    [duration(seconds)],
    [limit === 'min' ? words.below : words.above],
    [extreme === null ? texts.unknown : texts.temperature(extreme, record.unit)],
  ]);
};
