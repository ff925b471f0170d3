import type { Violation } from './observation.ts';
import type { Word } from './slot.ts';

/** How often each operation had each outcome, and how often each fault was inflicted. */
export interface Tally {
  readonly operations: Record<string, Record<Word, number>>;
  readonly faults: Record<string, number>;
}

export interface Report extends Tally {
  readonly seed: number;
  readonly minutes: number;
  readonly orders: number;
  readonly events: number;
  readonly deliveries: number;
  readonly seconds: number;
  /** Why outcomes are unknown, and how often. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

/** The report as a table for people. */
export const table = (report: Report): string => {
  const words: readonly Word[] = ['accepted', 'rejected', 'unknown', 'skipped'];
  const row = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(16)}${cells.map((cell) => `${cell}`.padStart(10)).join('')}`;
  return [
    row('operation', words),
    ...Object.entries(report.operations)
      .toSorted()
      .map(([kind, counts]) =>
        row(
          kind,
          words.map((word) => counts[word]),
        ),
      ),
    '',
    row('unknown because', ['']),
    ...Object.entries(report.reasons)
      .toSorted((a, b) => b[1] - a[1])
      .map(([reason, times]) => `${`${times}`.padStart(6)}  ${reason}`),
    '',
    row('fault', ['times']),
    ...Object.entries(report.faults)
      .toSorted()
      .map(([kind, times]) => row(kind, [times])),
    '',
    `seed ${report.seed}: ${report.orders} orders, ${report.events} events, ${report.deliveries} deliveries, ${report.seconds} s, ${report.violations.length} violations`,
    ...report.violations.map(({ invariant, detail }) => `VIOLATION ${invariant}: ${detail}`),
    '',
  ].join('\n');
};
