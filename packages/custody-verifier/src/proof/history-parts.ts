import type { ChainEntry } from '../entry-hash.ts';
import type { CompletenessPart, LogPart, WitnessPart } from './verdict.ts';

/** A consistent chain, and the log part that was verified for its last entry. */
export interface HistoryParts {
  /** What was read: a proof file, or a bare list of events, which has no place for a log part. */
  readonly source: 'proof' | 'events';
  readonly orderId: string;
  readonly entries: readonly ChainEntry[];
  readonly head: string;
  readonly log: LogPart | null;
  readonly completeness: CompletenessPart | null;
  /** Null unless the caller names witnesses. */
  readonly witnesses: WitnessPart | null;
}
