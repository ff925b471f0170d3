import { listOf, type Members, membersOf, numberOf, textOf } from './members.ts';

/** Which part of the custody a record covers; absent in entries before decision 78. */
export interface RecordCustody {
  /** Time at which the pickup started; empty before. */
  readonly from: string;
  /** Time of the delivery; empty before. */
  readonly to: string;
  /** The readings within the custody; null if there are none. */
  readonly covered: Covered | null;
  readonly outside: RecordExcursions;
}

interface Covered {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

export interface RecordExcursions {
  /** Number of all excursions; `listed` may have fewer. */
  readonly count: number;
  readonly seconds: number;
  readonly listed: readonly Excursion[];
}

export interface Excursion {
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly limit: string;
  readonly extreme: number | null;
}

/** Returns what the member `custody` of a condition states; null without it. */
export const custodyOf = (value: unknown): RecordCustody | null => {
  if (typeof value !== 'object' || value === null) return null;
  const { from, to, covered, outside } = membersOf(value);
  const within = membersOf(covered);
  return {
    from: textOf(from),
    to: textOf(to),
    covered:
      typeof within.from === 'string'
        ? {
            from: textOf(within.from),
            to: textOf(within.to),
            count: numberOf(within.count) ?? 0,
            minimum: numberOf(within.minimum),
            maximum: numberOf(within.maximum),
          }
        : null,
    outside: excursionsIn(membersOf(outside)),
  };
};

/** Returns the excursions that a condition lists. */
export const excursionsIn = (members: Members): RecordExcursions => ({
  count: numberOf(members.excursion_count) ?? 0,
  seconds: numberOf(members.excursion_seconds) ?? 0,
  listed: listOf(members.excursions).map((value) => {
    const { from, to, seconds, limit, extreme } = membersOf(value);
    return {
      from: textOf(from),
      to: textOf(to),
      seconds: numberOf(seconds) ?? 0,
      limit: textOf(limit),
      extreme: numberOf(extreme),
    };
  }),
});
