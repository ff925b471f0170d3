import { expect, test } from '@jest/globals';
import { call, partnerOf, startGatewayService } from './gateway-service.ts';

/** As much text as one body of 256 KiB holds: 600 items of 100 characters, 4 bytes each. */
const items = Array.from({ length: 600 }, () => ({ goodsType: '😀'.repeat(100) }));

test('a hundred orders with as much text as a body holds are one page', async () => {
  const order = { id: 'x', status: 'DRAFT', sla: 'STANDARD', items };
  const under = await startGatewayService({
    redisUrl: '',
    behind: { orders: { listOrders: async () => ({ orders: Array(100).fill(order) }) } },
  });
  try {
    const { key } = await partnerOf(under);
    const { status, body } = await call('GET', `${under.baseUrls[0]}/orders?limit=100`, { key });
    expect([status, body.data?.length]).toEqual([200, 100]);
    expect(body.data[99].items).toHaveLength(items.length);
  } finally {
    await under.stop();
  }
});
