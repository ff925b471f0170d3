import { incidentEntries } from '@pto/proto/order-commands';
import type { Block } from '../document.ts';
import { conditionOf, recordsOfHistory } from '../history/conditions.ts';
import { numberOf } from '../history/members.ts';
import type { Subject } from '../history/subject.ts';
import { duration } from '../texts/clock-time.ts';
import { coverageText } from './coverage-text.ts';
import { wordOf } from './table.ts';

/**
 * Returns what deviates from the order, in short: a proven history is not yet a good transport. It
 * stands beside the verdict, so that nobody files one without the other.
 */
export const deviationsNotice = (subject: Subject): Block => {
  const { texts } = subject;
  const lines = [...incidentLines(subject), ...recordLines(subject)];
  const isNone = lines.length === 0;
  return {
    kind: 'notice',
    tone: isNone ? 'plain' : 'warning',
    title: isNone ? texts.deviations.none : texts.deviations.some(lines.length),
    lines,
  };
};

/**
 * One line for each type of incident, with the numbers of its entries. That of excursions is the one
 * of the records, which have their duration.
 */
const incidentLines = ({ texts, entries }: Subject): string[] =>
  [...incidentEntries].flatMap((type) => {
    const found = entries.filter(({ internalType }) => internalType === type);
    const isInRecords = type === 'TEMPERATURE_EXCURSION' && recordsOfHistory(entries).length > 0;
    if (found.length === 0 || isInRecords) return [];
    const numbers = found.slice(0, numbersMax).map(({ number }) => String(number));
    const name = wordOf(texts.events, type);
    return [texts.deviations.incident(name, found.length, numbers.join(', '))];
  });

const numbersMax = 10;

const recordLines = ({ texts, order, entries, custody }: Subject): string[] => {
  const records = recordsOfHistory(entries).map(conditionOf);
  const [seconds, count] = [sum(records, 'seconds'), sum(records, 'count')];
  const limits = [order.temperature_min, order.temperature_max].map(numberOf);
  const isLimited = limits.some((limit) => limit !== null);
  const isUncovered = records.every(
    (record) => coverageText(texts, record, custody) === texts.conditions.coversNothing,
  );
  return [
    ...(count > 0 ? [texts.conditions.excursionNotice(count, duration(seconds))] : []),
    ...(records.some(({ calibrationExpired }) => calibrationExpired)
      ? [texts.conditions.calibrationExpired]
      : []),
    ...(isLimited && custody.to !== null && isUncovered ? [texts.deviations.uncovered] : []),
  ];
};

const sum = (records: readonly ReturnType<typeof conditionOf>[], of: 'count' | 'seconds') =>
  records.reduce((total, { excursions }) => total + excursions[of], 0);
