import type { ChainEntry } from '../entry-hash.ts';
import type { CompletenessPart, LogPart, WitnessPart } from './verdict.ts';

/** A consistent chain, and the verified parts of the file that contains it. */
export interface HistoryParts {
  /** What was judged: a proof file, or a bare list of events, which cannot contain a log part. */
  readonly source: 'proof' | 'events';
  readonly orderId: string;
  readonly entries: readonly ChainEntry[];
  readonly head: string;
  readonly log: LogPart | null;
  readonly completeness: CompletenessPart | null;
  /** Null unless the caller named witnesses. */
  readonly witnesses: WitnessPart | null;
}
