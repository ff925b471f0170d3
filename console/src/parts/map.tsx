import type { OpenOrder, OpenOrderStop } from '@pto/proto/orders/v1/commands';
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

/** The size of what the server draws, its margin, and the degrees that it shows at least. */
export const [mapWidth, mapHeight] = [640, 260];
const [margin, spanMin, latMax] = [60, 4, 84];

type Point = readonly [x: number, y: number];
type Stop = OpenOrderStop & { readonly lat: number; readonly lng: number };

/** Whether both places of an order have coordinates. */
export const hasPlaces = (
  order: OpenOrder,
): order is OpenOrder & { readonly pickup: Stop; readonly dropoff: Stop } =>
  [order.pickup, order.dropoff].every((one) => one?.lat !== undefined && one.lng !== undefined);

/** Mercator's projection, as the server's. */
const projected = (lat: number, lng: number): Point => [
  (lng * Math.PI) / 180,
  -Math.log(Math.tan(Math.PI / 4 + (Math.max(-latMax, Math.min(latMax, lat)) * Math.PI) / 360)),
];

/** Returns the ground around places, and a function that returns where a place is on it. */
export const groundOf = (places: readonly Stop[]) => {
  const span = (values: readonly number[]): Point => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const grow = Math.max(0, spanMin - (most - least)) / 2;
    return [least - grow, most + grow];
  };
  const [south, north] = span(places.map(({ lat }) => lat));
  const [west, east] = span(places.map(({ lng }) => lng));
  const [left, top] = projected(north, west);
  const [right, bottom] = projected(south, east);
  const scale = Math.min(
    (mapWidth - 2 * margin) / (right - left),
    (mapHeight - 2 * margin) / (bottom - top),
  );
  const corner = (lat: number, lng: number) => `${lat.toFixed(6)},${lng.toFixed(6)},`;
  return {
    url: urlOf({ from: corner(south, west), to: corner(north, east), ground: '1' }),
    at: ({ lat, lng }: Stop): Point => {
      const [x, y] = projected(lat, lng);
      return [
        mapWidth / 2 + (x - (left + right) / 2) * scale,
        mapHeight / 2 + (y - (top + bottom) / 2) * scale,
      ];
    },
  };
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
