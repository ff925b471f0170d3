/**
 * The wall clock of one process steps by an hour, both ways, while it works: no request fails or
 * hangs, a revocation takes effect within 5 s, and a retry comes when it is due.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { openClocks } from '../../clocks.ts';
import { unlimited } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';
import { ownStack } from '../test-stack.ts';

const hourMs = 3_600_000;
/** Longer than a process takes to read its new clock, and than a few requests take. */
const holdMs = 400;
const answerMaxMs = 5000;
const revokedWithinMs = 5000;
/** Time for one look on a busy machine. */
const lookMs = 250;
const retryAfterMs = 1000;

const clocks = openClocks();
const stack = ownStack({
  kafka: false,
  env: { ...clocks.env, ...unlimited, WEBHOOKS_RETRY_WAITS: `${retryAfterMs}ms,1h,1h,1h,1h` },
});
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(stack);
  expect((await receiver.subscribe()).status).toBe(201);
});
afterAll(async () => {
  await receiver?.stop();
  clocks.forget();
});

let orders = 0;
/** One request to each service, by a partner and an operator. */
const requests = (): Readonly<Record<string, () => Promise<number>>> => {
  const { get, post } = partner(stack);
  const clients = operatorClients(stack);
  const orderId = known;
  const ok = (call: Promise<unknown>) => call.then(() => 200);
  return {
    'GET /ping': async () => (await get('/ping')).status,
    'POST /orders': async () =>
      (await post('/orders', orderBody(), { 'idempotency-key': `step-${orders++}` })).status,
    'GET /orders': async () => (await get('/orders?limit=1')).status,
    'GET /orders/{id}/events': async () => (await get(`/orders/${orderId}/events`)).status,
    'GET /webhooks': async () => (await get('/webhooks')).status,
    'POST /webhooks/{id}/test': async () => (await post(`/webhooks/${endpointId}/test`)).status,
    showOrder: () => ok(clients.orders.showOrder({ orderId })),
    whoAmI: () => ok(clients.operators.whoAmI({})),
  };
};

let known = '';
let endpointId = '';

/** Sends each request again and again. @returns a function that stops it and tells what failed. */
const traffic = () => {
  let stopped = false;
  const wrong: string[] = [];
  const counts: Record<string, number> = {};
  const lanes = Object.entries(requests()).map(async ([name, send]) => {
    while (!stopped) {
      const begun = performance.now();
      const status = await send().catch((error: Error) => error.message);
      const ms = performance.now() - begun;
      const isOk = typeof status === 'number' && status < 300;
      if (!isOk || ms > answerMaxMs) wrong.push(`${name}: ${status} after ${Math.round(ms)} ms`);
      counts[name] = (counts[name] ?? 0) + 1;
      await sleep(20);
    }
  });
  return async () => {
    stopped = true;
    await Promise.all(lanes);
    return { wrong, fewest: Math.min(...Object.values(counts)) };
  };
};

test.each(['gateway', 'operators', 'orders', 'custody', 'webhooks'])(
  'no request fails or hangs while the clock of %s steps by an hour, both ways',
  async (service) => {
    const { pid } = stack.file().services.find((one) => one.name === service)!;
    const { post } = partner(stack);
    known ||= (await post('/orders', orderBody())).body.id;
    endpointId ||= (await partner(stack).get('/webhooks')).body[0].id;
    const stop = traffic();
    for (const ms of [hourMs, 0, -hourMs, 0]) {
      clocks.shift(pid, ms);
      await sleep(holdMs);
    }
    clocks.restore(pid);
    const { wrong, fewest } = await stop();
    expect(wrong).toEqual([]);
    expect(fewest).toBeGreaterThan(1);
  },
);

test.each([hourMs, -hourMs])(
  'a key that was revoked after its gateway’s clock stepped by %s ms is rejected within 5 s',
  async (ms) => {
    const { access } = operatorClients(stack);
    const { pid } = stack.file().services.find((one) => one.name === 'gateway')!;
    const organizationId = stack.file().organizations[0]!.id;
    const issued = await access.issueKey({ organizationId, scopes: ['orders:read'] });
    const { get } = partner(stack, issued.secret);
    expect((await get('/ping')).status).toBe(200);
    clocks.shift(pid, ms);
    await sleep(holdMs);
    expect((await get('/ping')).status).toBe(200);
    await access.revokeKey({ id: issued.key!.id });
    await until(async () => (await get('/ping')).status === 401, {
      // the looks of `until` are up to a twentieth of the waited time apart
      deadlineMs: revokedWithinMs * 1.05 + lookMs,
      what: 'the key to be rejected',
    });
    clocks.restore(pid);
  },
);

test.each([hourMs, -hourMs])(
  'a retry comes when it is due while the clock of webhooks is off by %s ms',
  async (ms) => {
    const { pid } = stack.file().services.find((one) => one.name === 'webhooks')!;
    receiver.state.status = 500;
    const { id } = (await partner(stack).post('/orders', orderBody())).body;
    const posts = () => receiver.received.filter(({ body }) => body.data.order.id === id);
    await until(() => posts().length === 1, { what: 'the first attempt' });
    clocks.shift(pid, ms);
    receiver.state.status = 204;
    await until(() => posts().length === 2, { what: 'the second attempt' });
    clocks.restore(pid);
    const [first, second] = posts();
    expect(second!.delivery).toBe(first!.delivery);
    expect(second!.at - first!.at).toBeGreaterThan(retryAfterMs / 2);
    expect(second!.at - first!.at).toBeLessThan(retryAfterMs + 4000);
    expect(await second!.signed).toBe(true);
  },
);
