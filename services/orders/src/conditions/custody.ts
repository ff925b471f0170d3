/**
 * The time in which the transport had the goods, as far as it is known (decision 78): times
 * `YYYY-MM-DDTHH:mm:ss.sssZ`.
 */
export interface Custody {
  /** The pick-up started; null: not yet. */
  readonly from: string | null;
  /** The goods were delivered; null: not yet. */
  readonly to: string | null;
}

/** Where a time lies. A custody that has not begun has nothing within. */
export type CustodyPart = 'before' | 'within' | 'after';

/** Returns where a time lies; both ends of the custody are within. */
export const partOf = ({ from, to }: Custody, at: string): CustodyPart => {
  if (from === null || at < from) return 'before';
  return to !== null && at > to ? 'after' : 'within';
};

/** Returns the time at which a part begins, if another one precedes it. */
export const beginOf = ({ from, to }: Custody, part: CustodyPart): string =>
  (part === 'after' ? to : from) ?? '';

/** Returns the time at which a part ends, if another one follows. */
export const endOf = ({ from, to }: Custody, part: CustodyPart): string =>
  (part === 'before' ? from : to) ?? '';
