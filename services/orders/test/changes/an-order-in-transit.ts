import { crc32, deflateSync } from 'node:zlib';
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

/** A picture of one pixel whose shade is the seed. */
export const picture = (seed: number): Buffer => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, seed % 256]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A handover at the pickup that is good as it stands. */
export const aHandover = (more: object = {}) => ({
  stage: 'pickup',
  from: { party: 'Klinikum Nord', role: 'shipper' },
  to: { party: 'Blutkurier', role: 'carrier', person: 'Canary Kern' },
  methods: ['pin'],
  ...more,
});
