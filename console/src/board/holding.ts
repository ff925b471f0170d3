import type { Carrier, Driver } from '@pto/proto/operators/v1/carriers';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { isUnderWay } from './columns.ts';
import { namedBy } from './suggest.ts';

export interface Records {
  readonly carriers: readonly Carrier[];
  readonly drivers: readonly Driver[];
}

type Held = Pick<OpenOrder, 'status' | 'transportOrganization' | 'driver'> &
  Partial<Pick<OpenOrder, 'heldBy' | 'carrierId' | 'driverId'>>;
const none: Records = { carriers: [], drivers: [] };

/**
 * Returns who has the goods or fetches them, and the number to call: the party that received them
 * last, else the carrier and the driver that are assigned. A number is that of a record.
 */
export const holdingOf = (order: Held, { carriers, drivers }: Records = none) => {
  const { heldBy, transportOrganization, driver } = order;
  if (isUnderWay(order) && heldBy !== undefined && heldBy !== transportOrganization)
    return {
      words: `Held by ${heldBy}`,
      telephone: namedBy(heldBy, carriers)?.telephone ?? '',
      isAssigned: false,
    };
  const person = drivers.find(({ id }) => id === order.driverId)?.telephone;
  const office = carriers.find(({ id }) => id === order.carrierId)?.telephone;
  return {
    words: [transportOrganization, driver].filter((one) => one !== undefined).join(' · '),
    telephone: person || office || '',
    isAssigned: true,
  };
};
