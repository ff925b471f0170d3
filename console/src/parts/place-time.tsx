import { type ReactNode, useSyncExternalStore } from 'react';
import { countdown, placeTime } from './local-time.ts';
import { ExactTime, everySecond, exactTime } from './time.tsx';
import { t } from './words.ts';

/** A time by the clock of its place; in UTC when pointed at. */
export const PlaceTime = ({ at, country }: { at: string; country: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {useSyncExternalStore(everySecond, () => placeTime(at, country, Date.now()))}
  </time>
);

/**
 * A time, or a period, by the clock of its place, and behind it exactly in UTC.
 * @param country empty: unknown.
 */
export const PlaceAndExactTime = ({
  from,
  to,
  country,
}: {
  from: string;
  to?: string | null | undefined;
  country: string;
}) => {
  const period = (shown: (at: string) => ReactNode) => (
    <>
      {shown(from)}
      {to && ` ${t('to')} `}
      {to && shown(to)}
    </>
  );
  const exact = period((at) => <ExactTime at={at} />);
  if (country === '') return exact;
  return (
    <>
      {period((at) => (
        <PlaceTime at={at} country={country} />
      ))}{' '}
      <span className="faint">{exact}</span>
    </>
  );
};

/** The time that is left until a moment, drawn again when its words change. */
export const Countdown = ({ at }: { at: string }) => (
  <span className={Date.parse(at) < Date.now() ? 'late' : ''}>
    {useSyncExternalStore(everySecond, () => countdown(at, Date.now()))}
  </span>
);
