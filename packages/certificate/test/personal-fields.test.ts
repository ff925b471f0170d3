import { expect, test } from '@jest/globals';
import { certificateHtml } from '../src/index.ts';
import { chained, type Event, events } from './samples/a-history.ts';
import { inputOf, proofOf } from './samples/an-input.ts';
import { orderId } from './samples/an-order.ts';

const htmlOf = async (history: readonly Event[]) =>
  certificateHtml(await inputOf(await proofOf(chained(orderId, history))));

const at = '2026-11-27T15:00:00.000Z';
const assigned = { internalType: 'DRIVER_ASSIGNED', at, personal: { driver: 'R. Kern' } };
const erasure = (numbers: readonly number[]) => ({
  internalType: 'PERSONAL_DATA_ERASED',
  at: '2027-01-08T10:00:00.000Z',
  payload: { erased: { driver: numbers } },
});

test('states an erased field with the time of its erasure', async () => {
  const html = await htmlOf([{ ...assigned, erased: ['driver'] }, erasure([1])]);
  expect(html).toContain('Driver: erased on 2027-01-08, 10:00 UTC');
  expect(html).toContain('1 personal field was erased; see below.');
  expect(html).not.toContain('R. Kern');
});

test('states a disclosed field and no erasure', async () => {
  const html = await htmlOf([assigned]);
  expect(html).toContain('Driver: R. Kern');
  expect(html).toContain('No personal data was erased.');
});

test('states that a field is not disclosed if no earlier erasure names it', async () => {
  const withheld = { ...assigned, erased: ['driver'] };
  expect(await htmlOf([withheld])).toContain('Driver: not disclosed in the proof file');
  const html = await htmlOf([erasure([2]), { ...withheld, at: '2027-02-01T00:00:00.000Z' }]);
  expect(html).toContain('Driver: not disclosed in the proof file');
  expect(html).toContain('No personal data was erased.');
});

test('names no driver after the driver was released', async () => {
  const released = { ...assigned, internalType: 'DRIVER_RELEASED' };
  const html = await htmlOf([assigned, released]);
  expect(html).not.toContain('<dt>Driver</dt>');
});

test('shows controls of the text direction as escapes', async () => {
  const driver = 'a\u202eb\u0007';
  const html = await htmlOf([...events.slice(0, 3), { ...assigned, personal: { driver } }]);
  expect(html).toContain('Driver: a\\u202eb\\u0007');
});
