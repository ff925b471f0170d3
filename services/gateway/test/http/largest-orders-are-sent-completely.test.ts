import { expect, test } from '@jest/globals';
import { call, partnerOf, startGatewayService } from '../gateway-service.ts';

/** The items of one body of 256 KiB, with the seals of one command of 1 MiB. */
const items = Array.from({ length: 13_500 }, () => ({ goods_type: 'b', seal_id: 's'.repeat(70) }));

test('the largest order arrives, in a list and alone', async () => {
  const order = { id: 'x', status: 'SEALED', sla: 'STANDARD', items };
  const body = Buffer.from(JSON.stringify(order));
  const under = await startGatewayService({
    redisUrl: '',
    behind: {
      orders: { listOrders: async () => ({ bodies: [body] }), getOrder: async () => ({ body }) },
    },
  });
  try {
    const { key } = await partnerOf(under);
    const url = `${under.baseUrls[0]}/orders`;
    const list = await call('GET', url, { key });
    expect([list.status, list.body.data?.[0].items.length]).toEqual([200, items.length]);
    const one = await call('GET', `${url}/00000000-0000-4000-8000-000000000000`, { key });
    expect([one.status, one.body.items?.length]).toEqual([200, items.length]);
  } finally {
    await under.stop();
  }
});
