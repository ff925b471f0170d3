/** The result of `pto certify`, for operators and for people. */
import { version } from '../../../typescript/src/index.ts';
import type { Result } from './check.ts';

/** The report in JSON. It has neither the key nor a secret. */
export interface Report {
  readonly v: 'pto-certify/1';
  readonly pto: string;
  /** `incomplete`: no check failed, and some were skipped or left out. */
  readonly result: 'passed' | 'failed' | 'incomplete';
  readonly begun_at: string;
  readonly ended_at: string;
  readonly organization: string;
  readonly environment: string;
  readonly api: string;
  /** URL of the receiver without its query, which can have a token. */
  readonly receiver: string;
  /** Names of the checks that were left out. */
  readonly left_out: readonly string[];
  readonly checks: readonly Result[];
}

/** Returns the report of the results. */
export const reportOf = (
  about: Pick<Report, 'begun_at' | 'ended_at' | 'organization' | 'environment' | 'left_out'> & {
    readonly baseUrl: string;
    readonly receiverUrl: string;
  },
  results: readonly Result[],
): Report => {
  const { baseUrl, receiverUrl, ...rest } = about;
  const { origin, pathname } = new URL(receiverUrl);
  return {
    v: 'pto-certify/1',
    pto: version,
    result: overall(results, about.left_out),
    ...rest,
    api: baseUrl,
    receiver: `${origin}${pathname}`,
    checks: results,
  };
};

const overall = (results: readonly Result[], leftOut: readonly string[]): Report['result'] => {
  if (results.some(({ result }) => result === 'failed')) return 'failed';
  const isComplete = leftOut.length === 0 && results.every(({ result }) => result === 'passed');
  return isComplete ? 'passed' : 'incomplete';
};

/** Returns the lines of a check for people. */
export const resultLines = ({ name, result, did, saw, fix, documentation }: Result): string[] => [
  `${result.toUpperCase().padEnd(7)}  ${name}`,
  `         did:  ${did}`,
  `         saw:  ${saw}`,
  ...(fix === null ? [] : [`         do:   ${fix}`]),
  ...(result === 'passed' ? [] : [`         read: ${documentation}`]),
];

/** Returns the last line for people. */
export const summaryLine = ({ result, checks }: Report): string => {
  const counts = (['passed', 'failed', 'skipped'] as const).map(
    (kind) => `${checks.filter((check) => check.result === kind).length} ${kind}`,
  );
  return `${result}: ${counts.join(', ')}`;
};
