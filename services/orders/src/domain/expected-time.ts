/** What was reported of an order's next stop, and what of it was announced (decision 87). Pure. */
import type { StopName } from '@pto/proto/order-commands';
import type { etaSources } from '@pto/proto/vocabulary';

export type EtaSource = (typeof etaSources)[number];

/** An expected time at a stop, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export interface ReportedTime {
  readonly stop: StopName;
  readonly at: string;
  readonly source: EtaSource;
}

/** What an order stores of its expected times; no position. */
export interface Expected {
  /** Start of the transport. */
  readonly departed?: string;
  readonly reported?: ReportedTime;
  /** Travel time from the pick-up to the drop-off by a routing engine, in seconds. */
  readonly leg?: number;
  /** The time at a stop that partners know, and when an event said so; null: none did. */
  readonly announced?: {
    readonly stop: StopName;
    readonly eta: string;
    readonly at: string | null;
  };
}

/** A report, and the time that partners know before the first one; null: none. */
export interface ExpectedReport extends ReportedTime {
  readonly leg?: number | undefined;
  readonly known: string | null;
}

/** A time that moves by more is announced, at most once in the interval; both in ms. */
const movedMs = 10 * 60_000;
export const announceEveryMs = 5 * 60_000;

/**
 * Judges a report. The driver's word holds against an earlier time by position: the driver knows of
 * a break.
 * @param at time of the report, `YYYY-MM-DDTHH:mm:ss.sssZ`.
 * @returns what the order stores, whether an event announces the time, and when one is due; null:
 *   the report changes nothing.
 */
export const judgeReport = (
  expected: Expected | null,
  { known, leg, ...reported }: ExpectedReport,
  at: string,
): { expected: Expected; announces: boolean; dueAt: string | null } | null => {
  const { stop, source } = reported;
  const before = expected?.reported;
  const isWord = before?.stop === stop && before.source === 'driver';
  if (isWord && source !== 'driver' && reported.at <= before.at) return null;
  const told = expected?.announced;
  const last =
    told?.stop === stop ? told : { stop, eta: known ?? reported.at, at: told?.at ?? null };
  const next = { ...expected, reported, ...(leg !== undefined && { leg }) };
  const dueMs = last.at === null ? 0 : Date.parse(last.at) + announceEveryMs;
  const hasMoved = Math.abs(Date.parse(reported.at) - Date.parse(last.eta)) > movedMs;
  const announces = hasMoved && Date.parse(at) >= dueMs;
  const announced = announces ? { stop, eta: reported.at, at } : last;
  return {
    expected: { ...next, announced },
    announces,
    dueAt: hasMoved && !announces ? new Date(dueMs).toISOString() : null,
  };
};

/** Returns what stays of the expected times when the driver drops out. */
export const withoutReport = (expected: Expected | null): Expected | null =>
  expected?.announced ? { announced: expected.announced } : null;
