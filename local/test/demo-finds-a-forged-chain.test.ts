import { expect, test } from '@jest/globals';
import { type Entry, firstFault } from '../src/demo/chain.ts';

// decision 31
const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const entry: Entry = {
  id: 'b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d01',
  type: 'order.sealed',
  internal_type: 'SEAL_APPLIED',
  ts_utc: '2026-01-15T09:30:00.000Z',
  gps_lat: 52.520008,
  gps_lng: 13.404954,
  payload: { seal_id: 'S-1042' },
  prev_event_hash: '5a5b5d8c1f3327bf148469659cbba9de653b9781c8d53e2a0ba2b1cec7178e60',
  event_hash: '25e375d45d2a5b3ce1ea07556897e45287cb20b6e8423a55daa381f04166ddd7',
};

test("the contract's own chain holds", () => {
  expect(firstFault(orderId, [entry])).toBeUndefined();
});

test.each<[string, Partial<Entry>]>([
  ['payload', { payload: { seal_id: 'S-1043' } }],
  ['time', { ts_utc: '2026-01-15T09:30:00.001Z' }],
  ['place', { gps_lat: null }],
  ['own hash', { event_hash: '0'.repeat(64) }],
  ['link', { prev_event_hash: '0'.repeat(64) }],
])('an entry with another %s is found', (_, change) => {
  expect(firstFault(orderId, [{ ...entry, ...change }])).toBe(entry.id);
});

test("another order's entries do not pass", () => {
  expect(firstFault('3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a12', [entry])).toBe(entry.id);
});
