import type { Schemas } from './schemas.ts';

type Order = Schemas['Order'];

/** The way from pick-up to drop-off, if both have coordinates. The console's server draws it. */
export const OrderMap = ({
  order: { pickup_location: from, dropoff_location: to },
}: {
  order: Pick<Order, 'pickup_location' | 'dropoff_location'>;
}) => {
  const [start, end] = [placeOf(from), placeOf(to)];
  if (start === undefined || end === undefined) return null;
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const query = new URLSearchParams({ from: start, to: end, theme: isDark ? 'dark' : 'light' });
  return (
    <img
      className="map"
      src={`/map.svg?${query}`}
      alt={`Map: from ${from?.city} to ${to?.city}`}
      width={640}
      height={260}
    />
  );
};

const placeOf = (of: Order['pickup_location']): string | undefined =>
  typeof of?.lat === 'number' && typeof of.lng === 'number'
    ? `${of.lat},${of.lng},${of.city}`
    : undefined;
