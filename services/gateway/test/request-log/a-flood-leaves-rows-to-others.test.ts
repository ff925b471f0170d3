import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { excessPerMinute } from '../../src/request-log/excess-requests.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { rowsOf } from './rows.ts';

let under: GatewayUnderTest;
let isStopped = false;
beforeAll(async () => {
  under = await startGatewayService();
});
afterAll(() => (isStopped ? undefined : under.stop()));

test('a flood of 429 has 60 rows a minute and the number of those left out; others have all', async () => {
  const hostile = await partnerOf(under, { reads: 1 });
  const calm = await partnerOf(under);
  const ping = (key: string) => call('GET', `${under.baseUrls[0]}/ping`, { key });
  const sent = 400;
  let granted = 0;
  const flood = Array.from({ length: 10 }, async () => {
    for (let n = 0; n < sent / 10; n++) if ((await ping(hostile.key)).status === 200) granted += 1;
  });
  for (let n = 0; n < 50; n++) await ping(calm.key);
  await Promise.all(flood);
  await until(async () => (await rowsOf(under, calm.organizationId)).length === 50, {
    what: 'every row of the calm organization',
  });
  const stored = async () => (await rowsOf(under, hostile.organizationId)).length;
  await until(async () => (await stored()) === granted + excessPerMinute, { what: 'the bound' });
  // a stopping gateway ends the minute
  await Promise.all(under.gateways.map((gateway) => gateway.stop()));
  const rows = await rowsOf(under, hostile.organizationId);
  expect(rows).toHaveLength(granted + excessPerMinute + 1);
  const leftOut = rows.map(({ left_out }) => left_out).filter((count) => count !== null);
  expect(leftOut).toEqual([sent - rows.length]);
  isStopped = true;
  await under.stop();
});
