import { describe, expect, test } from '@jest/globals';
import { firstHolder, type Holder, holderAfter } from '../src/holder.ts';

const of = (...entries: readonly unknown[]): Holder => entries.reduce(holderAfter, firstHolder);

const assigned = {
  internal_type: 'ORDER_ASSIGNED',
  payload: { transport_organization: 'City Couriers' },
};
const driven = { internal_type: 'DRIVER_ASSIGNED', payload: { driver: 'Ada' } };
const started = { internal_type: 'PICKUP_STARTED', payload: null };
const delivered = { internal_type: 'CUSTODY_TRANSFERRED', payload: null };
const handedOver = (stage: string, to: unknown, more: object = {}) => ({
  internal_type: 'HANDOVER_RECORDED',
  payload: { stage, to, ...more },
});

test('the sender has the goods until the pick-up, then the driver, then the receiver', () => {
  expect(of().goods).toBe('sender');
  expect(of(assigned, driven).goods).toBe('sender');
  expect(of(assigned, driven, started)).toMatchObject({
    goods: 'driver',
    driver: 'Ada',
    organization: 'City Couriers',
  });
  expect(of(assigned, driven, started, delivered).goods).toBe('receiver');
});

test('a declined assignment and a released driver are no longer named', () => {
  const declined = { internal_type: 'ASSIGNMENT_DECLINED', payload: null };
  const released = { internal_type: 'DRIVER_RELEASED', payload: null };
  expect(of(assigned, declined).organization).toBe('');
  expect(of(assigned, driven, released).driver).toBe('');
});

describe('a recorded handover', () => {
  const to = { party: 'Second Ltd', role: 'carrier' };

  test('gives the goods to the party that it names, until the next one or the delivery', () => {
    const first = handedOver('transfer', to);
    const second = handedOver('dropoff', { party: 'Laboratory South' });
    expect(of(started, first)).toMatchObject({
      goods: 'party',
      party: 'Second Ltd',
      stage: 'transfer',
    });
    expect(of(started, first, second)).toMatchObject({
      party: 'Laboratory South',
      stage: 'dropoff',
    });
    expect(of(started, first, delivered).goods).toBe('receiver');
    expect(of(started, delivered, handedOver('return', to)).goods).toBe('party');
  });

  test('names the person alone where the value is disclosed', () => {
    const commitment = { to_person: { commitment: 'cd'.repeat(32) } };
    const handover = handedOver('transfer', to, commitment);
    const disclosed = { to_person: { value: 'Ben', salt: 'ef'.repeat(32) } };
    expect(of(handover).person).toBe('');
    expect(of({ ...handover, disclosed }).person).toBe('Ben');
  });

  test('without a person does not name the person of the one before', () => {
    const before = handedOver('transfer', to, { to_person: 'Ben' });
    expect(of(before, handedOver('dropoff', to)).person).toBe('');
  });
});

test.each([null, 7, 'x', [], { internal_type: 'HANDOVER_RECORDED', payload: { to: [1] } }])(
  'bears any value: %j',
  (value) => {
    const { party, person, stage } = of(started, value);
    expect([party, person, stage]).toEqual(['', '', '']);
  },
);
