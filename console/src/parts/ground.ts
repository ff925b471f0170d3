/** Where places are on the ground that the console's server draws (`/map.svg`). Pure. */

/** The size of what the server draws, its margin, and the degrees that it shows at least. */
export const [mapWidth, mapHeight] = [640, 260];
const [margin, spanMin, latMax] = [60, 4, 84];

type Point = readonly [x: number, y: number];
interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** Mercator's projection, as the server's. */
const projected = (lat: number, lng: number): Point => [
  (lng * Math.PI) / 180,
  -Math.log(Math.tan(Math.PI / 4 + (Math.max(-latMax, Math.min(latMax, lat)) * Math.PI) / 360)),
];

/** Returns the corners of the ground around places, and a function that returns where a place is on it. */
export const groundOf = (places: readonly Place[]) => {
  const span = (values: readonly number[], max: number): Point => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const grow = Math.max(0, spanMin - (most - least)) / 2;
    return [Math.max(-max, least - grow), Math.min(max, most + grow)];
  };
  const [south, north] = span(
    places.map(({ lat }) => lat),
    latMax,
  );
  const [west, east] = span(
    places.map(({ lng }) => lng),
    180,
  );
  const [left, top] = projected(north, west);
  const [right, bottom] = projected(south, east);
  const scale = Math.min(
    (mapWidth - 2 * margin) / (right - left),
    (mapHeight - 2 * margin) / (bottom - top),
  );
  return {
    /** Its corners. */
    from: { lat: south, lng: west },
    to: { lat: north, lng: east },
    at: ({ lat, lng }: Place): Point => {
      const [x, y] = projected(lat, lng);
      return [
        mapWidth / 2 + (x - (left + right) / 2) * scale,
        mapHeight / 2 + (y - (top + bottom) / 2) * scale,
      ];
    },
  };
};
