import { anOrder, bodyOf, charite, keyed, type OrdersUnderTest } from '../orders-service.ts';

const rejected = (call: Promise<unknown>): Promise<unknown> => call.catch(() => {});

/** Creates orders and locations in every way, and drafts that are submitted and canceled. */
export const creations = async ({
  orders,
  locations,
  commands,
}: OrdersUnderTest): Promise<void> => {
  await orders.getStatus({});
  const request = anOrder({ externalId: 'E-1', ...keyed('K-1') });
  const { organizationId } = request;
  await orders.createOrder(request);
  await orders.createOrder(request);
  await rejected(orders.createOrder({ ...request, ...keyed('K-2') }));
  await Promise.all(
    [1, 2, 3].map((n) =>
      orders.createOrder({ ...request, externalId: `B-${n}`, ...keyed(`B-${n}`) }),
    ),
  );
  await orders.createOrder(anOrder({ organizationId, goodsTypes: Array(101).fill('blood') }));
  const location = { organizationId, label: 'L', ...charite };
  const saved = bodyOf(
    await locations.createLocation({
      ...location,
      idempotencyKey: 'L-1',
      bodySha256: Buffer.alloc(32),
    }),
  );
  await locations.createLocation({ ...location, street: 'Other 1' });
  await locations.listLocations({ organizationId });
  const draft = {
    organizationId,
    pickup: { place: { case: 'locationId' as const, value: saved.id } },
    autoDispatch: false,
  };
  const drafts: string[] = [];
  for (let n = 0; n < 3; n++) drafts.push(bodyOf(await orders.createOrder(anOrder(draft))).id);
  await orders.submitOrder({ organizationId, id: drafts[0]! });
  await orders.cancelOrder({ organizationId, id: drafts[1]!, reason: 'r' });
  await commands.submitOrder({ circumstances: { orderId: drafts[2]! } });
};

/** Reads one order, and lists with every combination of filters. */
export const reads = async ({ orders, commands }: OrdersUnderTest): Promise<void> => {
  const request = anOrder({ externalId: 'E-2' });
  const { organizationId } = request;
  const { id } = bodyOf(await orders.createOrder(request));
  for (let n = 0; n < 3; n++) await orders.createOrder(anOrder({ organizationId }));
  await Promise.all([1, 2].map(() => orders.getOrder({ organizationId, id })));
  const heavy = bodyOf(
    await orders.createOrder(anOrder({ organizationId, goodsTypes: Array(101).fill('blood') })),
  );
  await orders.getOrder({ organizationId, id: heavy.id });
  await orders.getSequence({ organizationId, id });
  const updatedSince = '2026-01-01T00:00:00.000Z';
  for (const filters of [
    {},
    { status: 'SUBMITTED' },
    { externalId: 'E-2' },
    { updatedSince },
    { updatedSince, status: 'SUBMITTED' },
    { updatedSince, externalId: 'E-2' },
    { status: 'SUBMITTED', externalId: 'E-2' },
  ]) {
    const page = await orders.listOrders({ organizationId, limit: 2, ...filters });
    if (page.nextCursor !== undefined)
      await orders.listOrders({ organizationId, limit: 2, ...filters, cursor: page.nextCursor });
  }
  await commands.showOrder({ orderId: id });
  await commands.findOrders({ externalId: 'E-2' });
  await commands.listOrganizationOrders({ organizationId });
  for (const search of [
    {},
    { statuses: ['SUBMITTED'], afterId: id },
    { organizationId },
    { text: id },
    { text: 'E-2' },
    { text: 'E-2', organizationId },
  ])
    await commands.searchOrders(search);
};
