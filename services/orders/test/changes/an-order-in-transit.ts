import { anOrder, bodyOf, type OrdersUnderTest } from '../orders-service.ts';

/** An order with two items that is sealed with S-1 and S-2, or in a later status. */
export const anOrderThat = async (
  { orders, commands }: OrdersUnderTest,
  status: 'SUBMITTED' | 'PICKUP_STARTED' | 'SEALED' | 'IN_TRANSIT',
  more: object = {},
) => {
  const request = anOrder({ goodsTypes: ['blood', 'plasma'], ...more });
  const { id: orderId } = bodyOf(await orders.createOrder(request));
  const circumstances = { orderId };
  const { organizationId } = request;
  const order = { organizationId, orderId, circumstances };
  if (status === 'SUBMITTED') return order;
  await commands.assignOrder({ circumstances, transportOrganization: 'Blutkurier' });
  await commands.acceptOrder({ circumstances });
  await commands.assignDriver({ circumstances, driver: 'Kim' });
  await commands.startPickup({ circumstances });
  if (status === 'PICKUP_STARTED') return order;
  await commands.sealOrder({ circumstances, sealIds: ['S-1', 'S-2'] });
  if (status === 'SEALED') return order;
  await commands.startTransport({ circumstances });
  return order;
};

/** A handover at the pickup that is good as it stands. */
export const aHandover = (more: object = {}) => ({
  stage: 'pickup',
  from: { party: 'Klinikum Nord', role: 'shipper' },
  to: { party: 'Blutkurier', role: 'carrier', person: 'Canary Kern' },
  methods: ['pin'],
  ...more,
});
