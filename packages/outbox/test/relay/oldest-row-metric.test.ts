import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { firstUuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import { waited } from '../../src/relay-metrics.ts';
import { sendingService } from '../sending-service.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
beforeEach(async () => {
  service = await sendingService();
});
afterEach(() => service.stop());

const unavailable = {
  publish: async () => {
    throw new Failure('SERVICE_UNAVAILABLE', 'The bus is unavailable.');
  },
};

/** What a scrape shows of a gauge; undefined where it shows none. */
const scraped = async (name: string) => {
  const page = await service.telemetry.metrics.metrics();
  const [, value] = new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(page) ?? [];
  return value === undefined ? undefined : Number(value);
};
const unsent = () => scraped('outbox_unsent');
const oldest = () => scraped('outbox_oldest_unsent_seconds');

test('a row of an old event is no older than its writing, and grows older while it waits', async () => {
  const relay = service.relay(unavailable);
  const hourOld = { ...service.message('a', 1), id: firstUuidv7(Date.now() - 3_600_000) };
  await service.add([hourOld]);
  expect(await unsent()).toBe(1);
  expect(await oldest()).toBeLessThan(60);
  await until(async () => (await oldest())! > 0, { what: 'a row that has waited' });
  await relay.stop();
});

test('both gauges are of the scrape that shows them', async () => {
  const relay = service.relay(unavailable);
  expect([await unsent(), await oldest()]).toEqual([0, 0]);
  await service.add([service.message('a', 1)]);
  const page = await service.telemetry.metrics.metrics();
  expect(page).toMatch(/^outbox_unsent\{[^}]*\} 1$/m);
  await relay.stop();
});

test('while the outbox cannot be looked at no number is shown, and then the new one', async () => {
  const relay = service.relay(unavailable);
  await service.add([service.message('a', 1)]);
  expect(await unsent()).toBe(1);
  await service.db.transaction(async (tx) => {
    await tx.query('lock table outbox');
    expect([await unsent(), await oldest()]).toEqual([undefined, undefined]);
  });
  await until(async () => (await unsent()) === 1, { what: 'the number again' });
  await relay.stop();
});

test('the wait is measured from the first sample of the row, not from the last progress', () => {
  const waits = waited();
  const look = (oldestRow: number, newest: number, nowMs: number) =>
    waits({ oldest: oldestRow, newest }, nowMs);
  expect(look(1, 3, 0)).toBe(0);
  expect(look(1, 8, 10)).toBe(10);
  expect(look(2, 9, 20)).toBe(20); // some were sent, and row 3 waits since the first look
  expect(look(5, 9, 30)).toBe(20); // row 5 was seen at 10
  expect(look(10, 12, 40)).toBe(0);
  expect(waits(null, 50)).toBe(0);
  expect(look(13, 13, 60)).toBe(0);
});

test('a long wait is measured exactly, with any rows behind it', () => {
  const waits = waited();
  for (let n = 1; n <= 10_000; n++) expect(waits({ oldest: 1, newest: n }, n)).toBe(n - 1);
});
