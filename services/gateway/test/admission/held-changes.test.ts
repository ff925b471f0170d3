/** Changes that a move of their organization holds, and the reads beside them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { createAdmission, type Lane } from '../../src/admission/admission.ts';
import type { Credentials } from '../../src/admission/key-lookup.ts';
import { RequestContext } from '../../src/admission/request-context.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';

let under: GatewayUnderTest;
let isHeld = true;
/** Ids of the orders whose cancellation was rejected. */
const rejected = new Set<string>();
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    behind: {
      orders: {
        cancelOrder: async ({ id }) => {
          if (!isHeld) return { body: Buffer.from('{}') };
          rejected.add(id);
          throw new Failure('ORGANIZATION_HELD', 'The organization is moved.');
        },
        getOrder: async () => ({ body: Buffer.from('{}') }),
      },
    },
  });
});
afterAll(() => under?.stop());

test('reads proceed while more changes are held than there are slots', async () => {
  const { key } = await partnerOf(under);
  const at = (path: string) => `${under.baseUrls[0]}/orders/${path}`;
  const changes = Array.from({ length: 20 }, (_, n) =>
    call('POST', at(`${orderId.slice(0, -2)}${n + 10}/cancel`), { key, body: { reason: 'r' } }),
  );
  await until(() => rejected.size === changes.length, { what: 'every change to be held' });
  for (let n = 0; n < 30; n++) expect((await call('GET', at(orderId), { key })).status).toBe(200);
  isHeld = false;
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

/** A request with a slot of its lane, and whether it leaves it when it is held. */
const entered = async (admission: ReturnType<typeof createAdmission>, lane: Lane) => {
  const context = new RequestContext();
  context.credentials = { sharesSlotsAs: 'o' } as Credentials;
  await admission.enter(context, lane);
  await admission.leaveWhileHeld(context, lane);
  return context;
};

test('the 65th held change keeps its slot until it ends, also when a place becomes free', async () => {
  const admission = createAdmission(1, createTelemetry({ service: 'gateway', write: () => {} }));
  const held: RequestContext[] = [];
  for (let n = 0; n < 65; n++) held.push(await entered(admission, 'light'));
  let isIn = false;
  const next = entered(admission, 'light').then(() => {
    isIn = true;
  });
  held[0]!.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isIn).toBe(false);
  held[64]!.close();
  await next;
});

test.each([
  ['heavy', 1],
  ['list', 1],
  ['receiver', 60],
] as const)(
  'a held request of the lane %s keeps its slot, of which there are %i',
  async (lane, count) => {
    const admission = createAdmission(1, createTelemetry({ service: 'gateway', write: () => {} }));
    const held: RequestContext[] = [];
    for (let n = 0; n < count; n++) held.push(await entered(admission, lane));
    let isIn = false;
    const next = entered(admission, lane).then(() => {
      isIn = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIn).toBe(false);
    held[0]!.close();
    await next;
  },
);
