import { listOf, type Members, membersOf, numberOf, textOf } from './members.ts';

/** Returns what the member `custody` of a condition states; null without it (before decision 78). */
export const custodyOf = (value: unknown) => {
  if (typeof value !== 'object' || value === null) return null;
  const { from, to, covered, outside } = membersOf(value);
  const within = membersOf(covered);
  return {
    /** Time at which the pickup started; empty before. */
    from: textOf(from),
    /** Time of the delivery; empty before. */
    to: textOf(to),
    /** The readings within the custody; null if there are none. */
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

export type RecordExcursions = ReturnType<typeof excursionsIn>;

/** Returns the number of all excursions that a condition states, and those that it lists. */
export const excursionsIn = (members: Members) => ({
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
