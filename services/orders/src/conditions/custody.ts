import type { Custody } from '@pto/proto/payloads';

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
