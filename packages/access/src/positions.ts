/**
 * Circles around drivers under way (decision 87), which the operators service stores and the gateway
 * reads: in the memory of Redis alone, for 15 min. The exact position is stored nowhere.
 */

/** A driver was within 1 km of a center. */
export interface Circle {
  /** Degrees, WGS 84, rounded. */
  readonly lat: number;
  readonly lng: number;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly at: string;
  readonly driverId: string;
}

/** With a larger radius of the device's own a circle of 1 km could miss the driver. */
export const accuracyMaxM = 200;
const [keepSeconds, everySeconds] = [15 * 60, 60];

/** The commands of Redis that this needs. */
interface Store {
  set(key: string, value: string, ex: 'EX', seconds: number): Promise<unknown>;
  set(key: string, value: string, ex: 'EX', seconds: number, nx: 'NX'): Promise<unknown>;
  mget(...keys: string[]): Promise<(string | null)[]>;
  del(key: string): Promise<unknown>;
}

const keyOf = (orderId: string): string => `position:${orderId.toLowerCase()}`;
const turnOf = (orderId: string, driverId: string): string =>
  `position-turn:${driverId}:${orderId.toLowerCase()}`;

const stepDegrees = 0.01;
const toGrid = (degrees: number, step: number): number =>
  Number((Math.round(degrees / step) * step).toFixed(5));

/**
 * Returns the center of the field of a grid that has a position. A field is 1.1 km wide and high, so
 * the position is at most 0.8 km from its center.
 */
const center = (lat: number, lng: number) => {
  const own = toGrid(lat, stepDegrees);
  const width = stepDegrees / Math.max(0.01, Math.cos((own * Math.PI) / 180));
  return { lat: own, lng: toGrid(lng, width) };
};

/** Admits a driver's report about an order if the last one is 60 s old. @throws Error of Redis */
export const takeTurn = async (redis: Store, orderId: string, driverId: string): Promise<boolean> =>
  (await redis.set(turnOf(orderId, driverId), '1', 'EX', everySeconds, 'NX')) !== null;

export const returnTurn = (redis: Store, orderId: string, driverId: string) =>
  redis.del(turnOf(orderId, driverId));

/** Stores the circle around a position. @throws Error of Redis */
export const storeCircle = (redis: Store, orderId: string, { lat, lng, ...more }: Circle) =>
  redis.set(keyOf(orderId), JSON.stringify({ ...center(lat, lng), ...more }), 'EX', keepSeconds);

/** Reads the circles of orders; null: there is none. @throws Error of Redis */
export const readCircles = async (
  redis: Store,
  orderIds: readonly string[],
): Promise<(Circle | null)[]> => {
  if (orderIds.length === 0) return [];
  const texts = await redis.mget(...orderIds.map(keyOf));
  return texts.map((text) => (text === null ? null : JSON.parse(text)));
};
