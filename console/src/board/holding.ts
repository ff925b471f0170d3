import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { isUnderWay } from './columns.ts';
import { namedBy } from './suggest.ts';

type Reached = { readonly id: string; readonly name: string; readonly telephone: string };
export interface Records {
  readonly carriers: readonly Reached[];
  readonly drivers: readonly Reached[];
}

/**
 * Returns who has the goods or fetches them, and the number to call: the party that received them
 * last, else the carrier and the driver that are assigned. A number is that of a record.
 */
export const holdingOf = (order: OpenOrder, { carriers, drivers }: Records) => {
  const { heldBy, transportOrganization, driver } = order;
  if (isUnderWay(order) && heldBy !== undefined && heldBy !== transportOrganization)
    return {
      words: `Held by ${heldBy}`,
      telephone: namedBy(heldBy, carriers)?.telephone ?? '',
      isAssigned: false,
    };
  const of = (all: readonly Reached[], recordId?: string) =>
    all.find(({ id }) => id === recordId)?.telephone;
  return {
    words: [transportOrganization, driver].filter((one) => one !== undefined).join(' · '),
    telephone: of(drivers, order.driverId) || of(carriers, order.carrierId) || '',
    isAssigned: true,
  };
};
