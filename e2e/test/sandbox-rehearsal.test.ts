/** Rehearsals of deliveries on a running stack (decision 67). */
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { orderBody, partner } from '../partner.ts';
import { startReceiver } from '../receiver.ts';
import { sharedStack } from './test-stack.ts';

const stack = sharedStack();

test('each event arrives twice, the even numbers of the stream first, and the list says so', async () => {
  const receiver = await startReceiver(stack);
  const { id } = (await receiver.subscribe()).body;
  const path = `/sandbox/webhooks/${id}/rehearsal`;
  const wanted = { speed: 60, faults: ['reorder', 'duplicate'], duration: '5m' };
  const set = await partner(stack).call('PUT', path, wanted);
  expect([set.status, set.body.speed, set.body.faults]).toEqual([
    200,
    60,
    ['duplicate', 'reorder'],
  ]);
  const foreign = partner(stack, stack.file().organizations[1]!.keys.all);
  expect((await foreign.call('PUT', path, wanted)).status).toBe(404);
  expect((await partner(stack).get(path)).body).toEqual(set.body);

  const evidence = { pickup: ['scan'], dropoff: ['signature'] };
  const order = await partner(stack).post('/orders', orderBody({ required_evidence: evidence }));
  const advance = `/sandbox/orders/${order.body.id}/advance`;
  expect((await partner(stack).post(advance, { to: 'CLOSED' })).body.status).toBe('CLOSED');
  // nine events and two handovers: the last number is odd, and waits for one that never comes
  await until(() => new Set(receiver.received.map((one) => one.delivery)).size === 10, {
    what: 'ten deliveries',
    deadlineMs: 60_000,
  });
  await partner(stack).call('PUT', path, {});
  await until(() => new Set(receiver.received.map((one) => one.delivery)).size === 11, {
    what: 'the one that was held back',
  });
  expect((await partner(stack).get(path)).body).toEqual({ speed: 1, faults: [], ends_at: null });
  for (const one of receiver.received) expect(await one.signed).toBe(true);
  const { data } = (await partner(stack).get(`/webhooks/${id}/deliveries?limit=20`)).body;
  const numberOf = new Map<string, number>(
    data.map((one: { id: string; sequence: number }) => [one.id, one.sequence]),
  );
  const arrivals = receiver.received.map(({ delivery }) => numberOf.get(delivery)!);
  for (let odd = 1; odd < 11; odd += 2)
    expect(arrivals.indexOf(odd + 1)).toBeLessThan(arrivals.indexOf(odd));
  for (let number = 1; number < 11; number++) {
    expect(arrivals.filter((one) => one === number)).toHaveLength(2);
    const { attempts } = data.find((one: { sequence: number }) => one.sequence === number);
    expect(attempts).toMatchObject([
      { status_code: 204, error: 'duplicate' },
      { status_code: 204, error: null },
    ]);
  }
  await partner(stack).call('DELETE', `/webhooks/${id}`);
  await receiver.stop();
}, 120_000);
