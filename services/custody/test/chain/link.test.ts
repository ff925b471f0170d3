import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from '@jest/globals';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { emptyHead, link } from '../../src/chain/entry.ts';

const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const genesis = '5a5b5d8c1f3327bf148469659cbba9de653b9781c8d53e2a0ba2b1cec7178e60';

const eventWith = (more: { payloadJson?: string; position?: { lat: number; lng: number } }) =>
  create(OrderEventSchema, {
    id: 'b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d01',
    orderId,
    sequence: 1,
    type: 'order.sealed',
    internalType: 'SEAL_APPLIED',
    tsUtc: '2026-01-15T09:30:00.000Z',
    ...more,
  });

describe('an entry is linked', () => {
  test('as the test vector of decision 31', () => {
    const event = eventWith({
      payloadJson: '{ "seal_id": "S-1042" }',
      position: { lat: 52.520008, lng: 13.404954 },
    });
    expect(link(emptyHead(orderId), event)).toEqual({
      id: event.id,
      order_id: orderId,
      sequence: 1,
      type: 'order.sealed',
      internal_type: 'SEAL_APPLIED',
      ts_utc: '2026-01-15T09:30:00.000Z',
      gps_lat: 52.520008,
      gps_lng: 13.404954,
      payload: '{ "seal_id": "S-1042" }',
      prev_event_hash: genesis,
      event_hash: '25e375d45d2a5b3ce1ea07556897e45287cb20b6e8423a55daa381f04166ddd7',
      canonical_text: expect.stringContaining('"payload":{"seal_id":"S-1042"}'),
    });
  });

  test('with null for an absent position and an absent payload', () => {
    const entry = link(emptyHead(orderId), eventWith({}));
    expect(entry).toMatchObject({ gps_lat: null, gps_lng: null, payload: null });
    expect(entry.canonical_text).toContain('"gps_lat":null,"gps_lng":null');
    expect(entry.canonical_text).toContain('"payload":null');
  });

  test('with zeros for the position 0, 0', () => {
    const entry = link(emptyHead(orderId), eventWith({ position: { lat: 0, lng: 0 } }));
    expect(entry).toMatchObject({ gps_lat: 0, gps_lng: 0 });
  });
});

test.each([-1, 1, 2])('event 1 cannot follow entry %i', (sequence) => {
  expect(() => link({ sequence, hash: genesis }, eventWith({}))).toThrow(
    `event 1 cannot follow entry ${sequence}`,
  );
});
