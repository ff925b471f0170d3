import { isUnderWay } from '../board/columns.ts';
import { Countdown, PlaceTime } from './place-time.tsx';
import type { Schemas } from './schemas.ts';
import { t } from './words.ts';

/** What an order waits for. */
export interface Waits extends Pick<Schemas['Order'], 'status'> {
  /** Until when the pick-up must begin, and the country of its place. */
  readonly due: string;
  readonly country: string | undefined;
  /** When the goods are expected, as far as that is known, and the country of the drop-off. */
  readonly arrival: string | null | undefined;
  readonly arrival_country: string | undefined;
}

/** Until when an order is fetched, or when it arrives, by the clock of the place. */
export const Next = ({ of }: { of: Waits }) => {
  if (isUnderWay(of))
    return of.status === 'DELIVERED' || !of.arrival ? null : (
      <>
        {t('arrives')} <PlaceTime at={of.arrival} country={of.arrival_country ?? ''} />
      </>
    );
  if (of.status === 'CLOSED' || of.status === 'CANCELLED' || of.due === '') return null;
  return (
    <>
      {t('pick-up by')} <PlaceTime at={of.due} country={of.country ?? ''} />{' '}
      <span className="faint">
        <Countdown at={of.due} />
      </span>
    </>
  );
};

type Shown = Pick<
  Schemas['Order'],
  | 'status'
  | 'pickup_window_start'
  | 'pickup_window_end'
  | 'dropoff_eta'
  | 'pickup_location'
  | 'dropoff_location'
>;

/** Returns what an order of the partners' API waits for. */
export const waitsOf = (order: Shown): Waits => ({
  status: order.status,
  due: order.pickup_window_end ?? order.pickup_window_start ?? '',
  country: order.pickup_location?.country,
  arrival: order.dropoff_eta,
  arrival_country: order.dropoff_location?.country,
});
