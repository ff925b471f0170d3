import { useMemo } from 'react';
import type { Untold } from '../board/columns.ts';
import { unshownMs } from '../board/use-board.ts';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { useMay } from './me.ts';

const none: Untold = new Map();

/** Reads which orders an endpoint was not told of; undefined until then. Auditors do not see it. */
export const useUntold = (): Untold | undefined => useUntoldQuery().orders;

/** The same with the call. */
export const useUntoldQuery = () => {
  const enabled = useMay()('support', 'dispatcher', 'admin');
  const query = useCall(['untold'], () => clients.deliveries.listUntoldOrders({ refresh: true }), {
    live: true,
    everyMs: unshownMs,
    enabled,
  });
  const { data } = query;
  const orders = useMemo((): Untold | undefined => {
    if (!enabled) return none;
    return data && new Map(data.orders.map((one) => [one.orderId, one]));
  }, [enabled, data]);
  return { orders, query };
};
