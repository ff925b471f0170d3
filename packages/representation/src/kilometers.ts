/** A position in WGS 84 degrees. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

const earthKm = 6371;

/** Returns the distance along the great circle in km. Pure. */
export const kilometers = (from: Point, to: Point): number => {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [a, b, turn] = [radians(from.lat), radians(to.lat), radians(to.lng - from.lng)];
  const half = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(turn / 2) ** 2;
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(half)));
};
