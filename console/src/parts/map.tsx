import type { Schemas } from './schemas.ts';
import { t } from './words.ts';

type Order = Schemas['Order'];

/** A map of a shorter way shows two dots on one town. */
const shownKm = 50;

/**
 * The way from pick-up to drop-off, if both have coordinates and it is long enough. The console's
 * server draws it.
 */
export const OrderMap = ({
  order: { pickup_location: from, dropoff_location: to },
}: {
  order: Pick<Order, 'pickup_location' | 'dropoff_location'>;
}) => {
  const [start, end] = [placeOf(from), placeOf(to)];
  if (start === undefined || end === undefined || kmBetween(from!, to!) < shownKm) return null;
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const query = new URLSearchParams({ from: start, to: end, theme: isDark ? 'dark' : 'light' });
  return (
    <img
      className="map"
      src={`/map.svg?${query}`}
      alt={t('Map: from {from} to {to}', { from: from!.city, to: to!.city })}
      width={640}
      height={260}
    />
  );
};

type Place = NonNullable<Order['pickup_location']>;

/** The distance of two places on the earth, by the haversine formula. */
const kmBetween = (one: Place, other: Place): number => {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2;
  const [a, b] = [one.lat!, other.lat!];
  const cosines = Math.cos(radians(a)) * Math.cos(radians(b));
  const chord = half(a, b) + cosines * half(one.lng!, other.lng!);
  return 2 * 6371 * Math.asin(Math.sqrt(chord));
};

const placeOf = (of: Order['pickup_location']): string | undefined =>
  typeof of?.lat === 'number' && typeof of.lng === 'number'
    ? `${of.lat},${of.lng},${of.city}`
    : undefined;
