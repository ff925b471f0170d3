/** Who holds an order, in the words of its page. */
import { expect, test } from '@jest/globals';
import { holderOf, partyWith } from '../../../console/src/parts/holder.ts';

const order = (status: string) => ({
  status,
  pickup_location: { street: 'Charitéplatz 1', city: 'Berlin' },
  dropoff_location: { street: 'Marienplatz 1', city: 'München' },
  driver: 'D. Driver',
  transport_organization: 'City Couriers',
});
const handedOver = (stage: string, to_person = '') => ({
  internal_type: 'HANDOVER_RECORDED',
  payload: { stage, to: { party: 'Second Ltd', role: 'courier' }, to_person },
});
const started = { internal_type: 'PICKUP_STARTED', payload: null };
const delivered = { internal_type: 'CUSTODY_TRANSFERRED', payload: null };

test.each([
  ['SUBMITTED', 'The sender: Charitéplatz 1, Berlin'],
  ['PICKUP_STARTED', 'D. Driver, City Couriers, at the pick-up in Berlin'],
  ['SEALED', 'D. Driver, City Couriers, sealed'],
  ['IN_TRANSIT', 'D. Driver, City Couriers, on the way to München'],
  ['DELIVERED', 'The recipient: Marienplatz 1, München'],
  ['CANCELLED', 'The sender: the order was cancelled before custody began'],
])('without a handover, %s decides', (status, words) => {
  expect(holderOf(order(status), [started])).toBe(words);
  expect(holderOf(order(status), [])).toBe(words);
});

test.each([
  ['PICKUP_STARTED', 'pickup', 'Second Ltd, at the pick-up in Berlin'],
  ['SEALED', 'pickup', 'Second Ltd, sealed'],
  ['IN_TRANSIT', 'transfer', 'Second Ltd, on the way to München'],
  ['IN_TRANSIT', 'dropoff', 'Second Ltd, received at the drop-off'],
  ['IN_TRANSIT', 'return', 'Second Ltd, received as a return'],
])('in %s, a handover at the stage %s names who received the goods', (status, stage, words) => {
  expect(holderOf(order(status), [started, handedOver(stage)])).toBe(words);
});

test('the person who received the goods is named before the party', () => {
  const entries = [started, handedOver('transfer', 'Ada')];
  expect(holderOf(order('IN_TRANSIT'), entries)).toBe('Ada, Second Ltd, on the way to München');
});

test('the delivery ends what a handover said, also while the chain does not have it yet', () => {
  const words = 'The recipient: Marienplatz 1, München';
  const before = [started, handedOver('transfer')];
  expect(holderOf(order('DELIVERED'), before)).toBe(words);
  expect(holderOf(order('DELIVERED'), [...before, delivered])).toBe(words);
  const returned = [...before, delivered, handedOver('return')];
  expect(holderOf(order('DELIVERED'), returned)).toBe('Second Ltd, received as a return');
});

test.each([
  ['SUBMITTED', [], undefined],
  ['SEALED', [], 'City Couriers'],
  ['IN_TRANSIT', [handedOver('transfer')], 'Second Ltd'],
  ['DELIVERED', [handedOver('transfer')], undefined],
])('in %s after %j the party to call is %s', (status, entries, party) => {
  expect(partyWith(order(status), [started, ...entries])).toBe(party);
});
