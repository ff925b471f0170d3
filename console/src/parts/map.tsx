import type { OpenOrder, OpenOrderStop } from '@pto/proto/orders/v1/commands';
import { kilometers } from '@pto/representation';
import { type groundOf, mapHeight, mapWidth, type Point } from './ground.ts';
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
  if (
    start === undefined ||
    end === undefined ||
    kilometers(pointOf(from!), pointOf(to!)) < shownKm
  )
    return null;
  return (
    <img
      className="map"
      src={urlOf({ from: start, to: end })}
      alt={t('Map: from {from} to {to}', { from: from!.city, to: to!.city })}
      width={mapWidth}
      height={mapHeight}
    />
  );
};

const urlOf = (of: Readonly<Record<string, string>>): string => {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return `/map.svg?${new URLSearchParams({ ...of, theme: isDark ? 'dark' : 'light' })}`;
};

type Placed = OpenOrderStop & { readonly lat: number; readonly lng: number };

/** An order that is on the map. */
export type WithPlaces = OpenOrder & { readonly pickup: Placed; readonly dropoff: Placed };

/** Whether both places of an order have coordinates. */
export const hasPlaces = (order: OpenOrder): order is WithPlaces =>
  [order.pickup, order.dropoff].every((one) => one?.lat !== undefined && one.lng !== undefined);

/** Returns the address of a ground's drawing. @param lines `X,Y,X,Y` that its names keep away from. */
export const groundUrl = (
  { from, to }: Pick<ReturnType<typeof groundOf>, 'from' | 'to'>,
  size: Point,
  lines: readonly string[],
): string => {
  const corner = ({ lat, lng }: typeof from) => `${lat.toFixed(6)},${lng.toFixed(6)},`;
  return urlOf({
    from: corner(from),
    to: corner(to),
    ground: size.join('x'),
    lines: lines.join(';'),
  });
};

const pointOf = ({ lat, lng }: NonNullable<Order['pickup_location']>) => ({ lat: lat!, lng: lng! });

const placeOf = (of: Order['pickup_location']): string | undefined =>
  typeof of?.lat === 'number' && typeof of.lng === 'number'
    ? `${of.lat},${of.lng},${of.city}`
    : undefined;
