import type { ConditionRecord } from '../history/conditions.ts';
import type { CustodyTimes } from '../history/subject.ts';
import { duration } from '../texts/clock-time.ts';
import type { Texts } from '../texts/en.ts';

/** Returns which part of the custody the readings of a record cover (decision 78). */
export const coverageText = (
  texts: Texts,
  record: ConditionRecord,
  custody: CustodyTimes,
): string => {
  const words = texts.conditions;
  const covered = record.custody ? record.custody.covered : overlap(record, custody);
  if (covered === null) return words.coversNothing;
  const span = `${texts.time(covered.from)} – ${texts.time(covered.to)}`;
  const length = duration(secondsOf(covered.from, covered.to));
  if (custody.from === null || custody.to === null) return `${span}: ${length}`;
  return `${span}: ${words.covers(length, duration(secondsOf(custody.from, custody.to)))}`;
};

/** An entry of before decision 78 does not state it. */
const overlap = ({ from, to }: ConditionRecord, custody: CustodyTimes) => {
  if (custody.from === null) return null;
  const start = from > custody.from ? from : custody.from;
  const end = custody.to !== null && to > custody.to ? custody.to : to;
  return start <= end ? { from: start, to: end } : null;
};

const secondsOf = (from: string, to: string): number => {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0) / 1000;
};
