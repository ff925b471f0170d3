import type { Circle } from '@pto/proto/operators/v1/positions';
import { underWay } from '@pto/proto/order-commands';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { useMay } from './me.ts';

/** Orders of one call, and the times between two calls and until a position is dropped, in ms. */
const [listMax, everyMs, keptMs] = [100, 30_000, 15 * 60_000];

/** The circles by the ids of their orders. */
export type Positions = ReadonlyMap<string, Circle>;

/** Whether an order can have a position: its driver has a record, and is under way. */
export const hasDriverUnderWay = ({ status, driverId }: Pick<OpenOrder, 'status' | 'driverId'>) =>
  driverId !== undefined && underWay.some((one) => one === status);

/**
 * Returns the circles of 1 km in which the drivers of orders under way are (decision 87). One of
 * another driver, or older than 15 min, is dropped when the page is drawn, which is each minute also
 * while no answer comes.
 * @returns undefined: the operator may not see them, or they are being read.
 */
export const usePositions = (
  orders: readonly Pick<OpenOrder, 'id' | 'status' | 'driverId'>[],
): Positions | undefined => {
  const enabled = useMay()('support', 'dispatcher');
  const drivers = new Map(
    orders.filter(hasDriverUnderWay).map(({ id, driverId }) => [id, driverId]),
  );
  const ids = [...drivers.keys()].toSorted();
  const { data } = useCall(
    ['positions', ...ids],
    async () => {
      const pages = Array.from({ length: Math.ceil(ids.length / listMax) }, (_, n) => {
        const orderIds = ids.slice(n * listMax, (n + 1) * listMax);
        return clients.positions.listPositions({ orderIds, refresh: true });
      });
      return (await Promise.all(pages)).flatMap(({ circles }) => circles);
    },
    { live: true, everyMs, enabled },
  );
  const shown = data?.filter(
    ({ orderId, driverId, at }) =>
      drivers.get(orderId) === driverId && Date.now() - Date.parse(at) < keptMs,
  );
  return enabled && shown ? new Map(shown.map((one) => [one.orderId, one])) : undefined;
};
