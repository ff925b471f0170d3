/** Where places are on the ground that the console's server draws (`/map.svg`). Pure. */

/** The size of the map of one way, the greatest margin, and the degrees that a map shows at least. */
export const [mapWidth, mapHeight] = [640, 260];
const [marginMax, spanMin, latMax] = [60, 4, 84];

export type Point = readonly [x: number, y: number];
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
export const groundOf = (
  places: readonly Place[],
  [width, height]: Point = [mapWidth, mapHeight],
) => {
  const margin = Math.min(marginMax, width / 9);
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
    (width - 2 * margin) / (right - left),
    (height - 2 * margin) / (bottom - top),
  );
  return {
    /** Its corners. */
    from: { lat: south, lng: west },
    to: { lat: north, lng: east },
    at: ({ lat, lng }: Place): Point => {
      const [x, y] = projected(lat, lng);
      return [
        width / 2 + (x - (left + right) / 2) * scale,
        height / 2 + (y - (top + bottom) / 2) * scale,
      ];
    },
  };
};

/** What lies at one point of a map, or within some pixels of it. */
export interface Group<Row> {
  readonly at: Point;
  readonly rows: readonly [Row, ...Row[]];
}

/**
 * Returns rows that lie together as one group, at the place of its first row.
 * @param apart the least distance of two groups, in pixels.
 */
export const groupsOf = <Row>(
  rows: readonly Row[],
  pointOf: (row: Row) => Point,
  apart: number,
): readonly Group<Row>[] => {
  const groups: { at: Point; rows: [Row, ...Row[]] }[] = [];
  for (const row of rows) {
    const [x, y] = pointOf(row);
    const near = groups.find(({ at }) => Math.hypot(at[0] - x, at[1] - y) < apart);
    if (near) near.rows.push(row);
    else groups.push({ at: [x, y], rows: [row] });
  }
  return groups;
};
