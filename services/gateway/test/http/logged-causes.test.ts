import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
let key: string;
beforeAll(async () => {
  under = await startGatewayService({
    environment: { WEBHOOKS_ADDRESS: 'ipv4:127.0.0.1:1' },
    behind: {
      orders: {
        getOrder: async () => {
          throw new Failure('SERVICE_UNAVAILABLE', 'away', { cause: new Error('private') });
        },
      },
    },
  });
  ({ key } = await partnerOf(under));
}, 60_000);
afterAll(() => under?.stop());

/** The log lines of the request with this id, other than `request`. */
const linesOf = (id: string) =>
  under.logged
    .map((line) => JSON.parse(line))
    .filter(({ requestId, msg }) => requestId === id && msg !== 'request');

const get = (path: string, id: string) =>
  call('GET', under.baseUrls[0]! + path, { key, headers: { 'X-Request-Id': id } });

test('a 503 without a response of the service is logged with its cause', async () => {
  const { status, body } = await get('/webhooks', 'no-response');
  expect([status, JSON.stringify(body)]).toEqual([503, expect.not.stringContaining('ECONN')]);
  expect(linesOf('no-response')).toMatchObject([
    {
      level: 'warn',
      msg: 'request failed',
      err: { kind: 'SERVICE_UNAVAILABLE', cause: { message: expect.stringContaining('ECONN') } },
    },
  ]);
});

test('a 503 that a service has sent is logged by that service alone', async () => {
  const { status } = await get('/orders/3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11', 'sent');
  expect([status, linesOf('sent')]).toEqual([503, []]);
});
