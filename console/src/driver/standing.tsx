import { dueOf } from '../board/columns.ts';
import { wordOf } from '../parts/badge.tsx';
import { countdown } from '../parts/local-time.ts';
import { useMinute } from '../parts/use-minute.ts';
import { t } from '../parts/words.ts';
import { isValid } from './next-step.ts';
import type { OfOrder } from './records.ts';
import { when, windowOf } from './when.ts';

/** An order as the phone knows it, and where it stands with its records. */
export interface Standing extends Omit<OfOrder, 'shift'> {
  readonly status: string;
}

/** Whether the pick-up should have begun. @param now in ms since the epoch. */
export const isLate = (of: Standing, now: number): boolean =>
  !of.known.isGone && of.status === 'DRIVER_ASSIGNED' && Date.parse(dueOf(of.known.order)) < now;

/** Where an order stands, with its time by the clock of the place, and how late its pick-up is. */
export const Stands = ({ of }: { of: Standing }) => {
  const now = useMinute();
  return (
    <strong>
      {wordsOf(of)}
      {isLate(of, now) && <span className="warn"> {countdown(dueOf(of.known.order), now)}</span>}
    </strong>
  );
};

const wordsOf = ({ known: { open, order, isGone }, records, status }: Standing): string => {
  if (isGone) return wordOf(ended.includes(status) ? status : 'given to somebody else');
  if (status === 'DRIVER_ASSIGNED')
    return windowOf(order.pickupWindowStart, order.pickupWindowEnd, open.pickup!.country);
  const deliveredAt = records.findLast((one) => one.step.name === 'deliver' && isValid(one))?.at;
  const at = { IN_TRANSIT: open.dropoffEta, DELIVERED: deliveredAt }[status];
  if (!at) return wordOf(status);
  const time = when(at, open.dropoff!.country);
  return `${wordOf(status)} · ${status === 'DELIVERED' ? time : t('Expected at {time}', { time })}`;
};
const ended: readonly string[] = ['CLOSED', 'CANCELLED'];
