import type { Order } from '@pto/proto/orders/v1/orders';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';

/**
 * Returns the values of a field in the newest orders of an order's organization, the newest first;
 * drivers of the order's transport organization alone.
 * @param field undefined: nothing is read.
 */
export const useSuggestions = (
  { organizationId, transportOrganization }: Order,
  field: string | undefined,
): string[] => {
  const isSuggested = field === 'transportOrganization' || field === 'driver';
  const { data } = useCall(
    ['suggestions', organizationId],
    () => clients.orders.listOrganizationOrders({ organizationId }),
    { enabled: isSuggested },
  );
  if (!isSuggested || !data) return [];
  const values = data.orders
    .filter((one) => field !== 'driver' || one.transportOrganization === transportOrganization)
    .map((one) => one[field]);
  return [...new Set(values)].filter((value) => value !== undefined);
};
