import { nextCommandOf } from '@pto/proto/order-commands';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { hasIncident } from '../../board/columns.ts';
import { flowOf } from '../../board/flows.ts';
import { useMaySend } from '../../parts/me.ts';

/** The word of an incident's end. */
export const resolve = 'Resolve';

/** Words of what comes next, if the operator may do it: an open incident is resolved first. */
export const useVerb = (): ((order: OpenOrder) => string | undefined) => {
  const maySend = useMaySend();
  return (order) => {
    if (hasIncident(order) && maySend('resolveIncident')) return resolve;
    const rpc = nextCommandOf(order.status)?.call?.rpc;
    return rpc && maySend(rpc) ? flowOf(order)?.verb : undefined;
  };
};
