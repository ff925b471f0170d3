import { Agent, get } from 'node:http';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { call, partnerOf, startGatewayService } from '../gateway-service.ts';

test('a request under way is answered, with Connection: close, and then nobody is home', async () => {
  let goOn = () => {};
  let begun = false;
  const under = await startGatewayService({
    redisUrl: '',
    behind: {
      orders: {
        listOrders: async () => {
          begun = true;
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          return {};
        },
      },
    },
  });
  const { key } = await partnerOf(under);
  const base = under.baseUrls[0]!;
  await call('GET', `${base}/ping`, { key }); // leaves an idle connection behind
  const slow = call('GET', `${base}/orders`, { key });
  await until(() => begun, { what: 'the call' });
  const stopped = under.stop();
  await until(
    () =>
      call('GET', `${base}/ping`, { key }).then(
        () => false,
        () => true,
      ),
    {
      what: 'new connections to be refused',
    },
  );
  goOn();
  const { status, headers } = await slow;
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  await stopped;
});

test('clients that ask again and again on their connections lose no request', async () => {
  const under = await startGatewayService({ redisUrl: '' });
  const { key } = await partnerOf(under);
  const { port } = new URL(under.baseUrls[0]!);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let asked = 0;
  const ask = () =>
    new Promise<string | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      const path = '/api/partner/v1/ping';
      get({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
        asked++;
        answer.resume().once('end', () => resolve(answer.headers.connection));
      }).once('error', reject);
    });
  expect(await ask()).toBe('keep-alive');
  const asking = (async () => {
    // until a response says that the connection ends
    while ((await ask()) !== 'close');
  })();
  await until(() => asked > 20, { what: 'a busy connection' });
  const stopped = under.stop();
  await asking;
  await stopped;
  agent.destroy();
});

test('a service that never answers costs a request its deadline, and no more', async () => {
  const under = await startGatewayService({
    redisUrl: '',
    timings: { operationMs: 1500 },
    behind: { orders: { listOrders: () => new Promise(() => {}) } },
  });
  const { key } = await partnerOf(under);
  const begun = Date.now();
  const { status, body, headers } = await call('GET', `${under.baseUrls[0]}/orders`, { key });
  expect([status, body.error.code]).toEqual([503, 'DEADLINE_EXCEEDED']);
  expect(headers.get('retry-after')).toBe('1');
  // a second call would take as long again
  expect(Date.now() - begun).toBeLessThan(2900);
  await under.stop();
});
