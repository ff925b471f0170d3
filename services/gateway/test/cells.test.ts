import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { query } from '../../operators/test/operators-service.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from './gateway-service.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayService();
});
afterAll(() => under?.stop());

test('a replica that does not know a cell yet responds 503 to its organizations alone', async () => {
  const [here, elsewhere] = await Promise.all([partnerOf(under), partnerOf(under)]);
  await query(under.database.ownerUrl, "update organizations set cell = 'north' where id = $1", [
    elsewhere.organizationId,
  ]);
  const url = (path: string) => `${under.baseUrls[0]}${path}`;
  const unknown = await call('GET', url('/webhooks'), elsewhere);
  expect([unknown.status, unknown.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(unknown.headers.get('retry-after')).toBe('5');
  expect((await call('GET', url('/ping'), elsewhere)).status).toBe(200);
  expect((await call('GET', url('/webhooks'), here)).status).toBe(200);
});

test('settings that name different cells are rejected', async () => {
  const environment = { CUSTODY_ADDRESS: 'main=ipv4:127.0.0.1:1;north=ipv4:127.0.0.1:2' };
  await expect(startGatewayService({ environment })).rejects.toThrow(
    'CUSTODY_ADDRESS and ORDERS_ADDRESS name different cells',
  );
});
