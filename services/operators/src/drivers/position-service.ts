import { accuracyMaxM, readCircles, returnTurn, storeCircle, takeTurn } from '@pto/access';
import { invalid } from '@pto/errors';
import { PositionService } from '@pto/proto/operators/v1/positions';
import type { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { type ConnectClient, type Implementation, implement } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import type { Redis } from 'ioredis';
import { notFound, requireId } from '../fields.ts';
import { firstThatKnows } from '../first-that-knows.ts';
import type { Operator } from '../identity/operator.ts';

const listMax = 100;

/**
 * Serves the positions of drivers under way (decision 87) to one operator or driver.
 * @param deps.redis null: positions are dropped.
 * @param deps.orders by cell.
 */
export const positionService = (
  { driver }: Operator,
  deps: {
    readonly redis: Redis | null;
    readonly orders: ReadonlyMap<
      string,
      Pick<ConnectClient<typeof OrderCommandService>, 'estimateArrival'>
    >;
    readonly log: Telemetry['log'];
  },
): Implementation => {
  const { redis, orders, log } = deps;
  /** Reports to the log that Redis fails, without the command: it has a position. */
  const unavailable = (error: unknown): null => {
    log.warn({ reason: (error as Error).name }, 'Redis is unavailable: a position is dropped');
    return null;
  };
  return implement(PositionService, {
    reportPosition: async ({ orderId, lat, lng, accuracy }, { signal }) => {
      requireId(orderId, 'order');
      if (!(Math.abs(lat) <= 90)) throw invalid(['lat'], 'latitude lies between -90 and 90');
      if (!(Math.abs(lng) <= 180)) throw invalid(['lng'], 'longitude lies between -180 and 180');
      if (!(accuracy >= 0)) throw invalid(['accuracy'], 'expected a radius in meters');
      if (!driver) throw notFound('order');
      if (accuracy > accuracyMaxM) return { ignored: 'inaccurate' };
      if (redis === null) return { ignored: 'unavailable' };
      const { driverId } = driver;
      const isTurn = await takeTurn(redis, orderId, driverId).catch(unavailable);
      if (isTurn === null) return { ignored: 'unavailable' };
      if (!isTurn) return { ignored: 'too_soon' };
      try {
        const report = { orderId, driverId, position: { lat, lng } };
        await firstThatKnows([...orders.keys()], (cell) =>
          orders.get(cell)!.estimateArrival(report, { signal }),
        );
      } catch (error) {
        await returnTurn(redis, orderId, driverId).catch(unavailable);
        throw error;
      }
      const circle = { lat, lng, at: new Date().toISOString(), driverId };
      const stored = await storeCircle(redis, orderId, circle).catch(unavailable);
      return { ignored: stored === null ? 'unavailable' : '' };
    },
    listPositions: async ({ orderIds }) => {
      if (orderIds.length > listMax)
        throw invalid(['order_ids'], `expected at most ${listMax}`, orderIds.length);
      for (const id of orderIds) requireId(id, 'order');
      const circles = redis === null ? [] : await readCircles(redis, orderIds).catch(() => []);
      return {
        circles: circles.flatMap((circle, n) =>
          circle === null ? [] : [{ orderId: orderIds[n]!, ...circle }],
        ),
      };
    },
  });
};
