/** The suite's results as one Markdown table with its notes. */
import { cpuText } from '../measuring/process-cpu.ts';
import type { Measured } from '../measuring/report.ts';
import type { SuiteResult } from './run-bench.ts';

const columns = [
  'Measured',
  'Ratio',
  'Lowest',
  'Highest',
  'Goal',
  'p50, p99: ours',
  'theirs',
  'CPU µs: ours',
  'theirs',
  'Others',
];

const none = '–';
const usualSampleMs = 5000;

/** Of `others`: the share of the machine that other processes took meanwhile; it voids nothing. */
export const tableOf = (results: readonly SuiteResult[]): string => {
  const rows = [columns, columns.map(() => '---'), ...results.map(cellsOf)];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return `${table}\n${notesOf(results)}`;
};

const cellsOf = (result: SuiteResult): string[] => {
  const { ratio, goal, ours, theirs, othersShare } = result;
  const what = `${result.what}${samplesText(result)}`;
  if (result.void !== null)
    return [what, `void: ${oneLine(result.void)}`, ...columns.slice(2).map(() => none)];
  return [
    what,
    ...[ratio?.median, ratio?.lowest, ratio?.highest].map((value) => value?.toFixed(3) ?? none),
    goal ?? none,
    timesOf(ours),
    timesOf(theirs),
    ours ? cpuText(ours.cpuMicros) : none,
    theirs ? cpuText(theirs.cpuMicros) : 'no other side',
    othersShare === null ? none : `${Math.round(othersShare * 100)} %`,
  ];
};

/** Shorter or longer samples than those of the rule are named. */
const samplesText = ({ sampleMs }: SuiteResult): string =>
  sampleMs === null || sampleMs === usualSampleMs ? '' : `, samples of ${sampleMs / 1000} s`;

const timesOf = (side: Measured | null): string => {
  if (!side || side.p50Ms === null || side.p99Ms === null) return none;
  const p95 = side.p95Ms === null ? '' : ` (p95 ${side.p95Ms.toFixed(1)})`;
  return `${side.p50Ms.toFixed(1)}, ${side.p99Ms.toFixed(1)} ms${p95}`;
};

const oneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').replaceAll('|', '/').slice(0, 200);

/** One line for each ratio of the table. */
const notesOf = (results: readonly SuiteResult[]): string =>
  [...new Set(results.map(({ bench }) => bench))]
    .map(({ ratio, note }) => `- ${ratio}: ${note}\n`)
    .join('');
