/** `operator order eta`: a time by the clock of the stop. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { implement } from '@pto/rpc';
import { type FakeGateway, runCommand, startGateway } from './operator-command.ts';

const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const seen: { stop: string; at: string }[] = [];
let gateway: FakeGateway;
beforeAll(async () => {
  const orders = {
    showOrder: async () => ({
      order: { id: orderId, pickupLocation: { country: 'FI' }, dropoffLocation: { country: 'GB' } },
    }),
    reportExpectedTime: async ({ stop, at }: { stop: string; at: string }) => {
      if (at < '2030') throw new Failure('VALIDATION', 'at: expected a later time');
      seen.push({ stop, at });
      return { expected: { dropoffEta: at, etaSource: 'driver' } };
    },
  };
  gateway = await startGateway({ orders: [implement(OrderCommandService, orders as never)] });
});
afterAll(() => gateway.stop());

const eta = (...words: string[]) =>
  runCommand(gateway, ['order', 'eta', orderId, ...words, '--json'], { TZ: 'Asia/Kolkata' });

test('a time with an offset is sent in UTC, and printed by the clock of the stop', async () => {
  const { code, stdout } = await eta('--stop', 'dropoff', '--at', '2030-07-01T14:05:00+02:00');
  expect(code).toBe(0);
  expect(seen.at(-1)).toEqual({ stop: 'dropoff', at: '2030-07-01T12:05:00.000Z' });
  expect(JSON.parse(stdout)).toEqual({
    order_id: orderId,
    pickup_eta: null,
    dropoff_eta: '2030-07-01T12:05:00.000Z',
    eta_source: 'driver',
    local_time: '2030-07-01T13:05',
    time_zone: 'Europe/London',
  });
});

test.each([
  ['25:00', 2, '--at'],
  ['soon', 2, '--at'],
  ['2026-01-01T00:00:00Z', 1, 'at: expected a later time'],
])('%s is rejected, and the error names the field', async (at, code, words) => {
  const before = seen.length;
  const done = await eta('--stop', 'pickup', '--at', at);
  expect([done.code, seen.length]).toEqual([code, before]);
  expect(done.stderr).toContain(words);
});
