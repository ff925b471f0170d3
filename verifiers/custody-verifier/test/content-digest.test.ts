import { expect, test } from '@jest/globals';
import { contentDigest, type EventContent } from '../src/entry-hash.ts';

const sealed: EventContent = {
  order_id: '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11',
  sequence: 7,
  id: 'b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d01',
  type: 'order.sealed',
  internal_type: 'SEAL_APPLIED',
  ts_utc: '2026-01-15T09:30:00.000Z',
  gps_lat: 52.520008,
  gps_lng: 13.404954,
  payload: { seal_ids: ['S-1042', 'S-1043'], note: 'Übergabe' },
};

const hex = (content: EventContent) => Buffer.from(contentDigest(content)).toString('hex');

// both digests were computed with Python's json and hashlib
test('equals the digest that another implementation computes', () => {
  expect(hex(sealed)).toBe('b7911011ae0bbf6d500e3858f7ce4ec24b1f6f76541a01b9ac1ecdaa43148269');
});

test('hashes absent values as null', () => {
  const submitted = {
    ...sealed,
    sequence: 1,
    type: 'order.submitted',
    internal_type: 'ORDER_SUBMITTED',
    gps_lat: null,
    gps_lng: null,
    payload: null,
  };
  expect(hex(submitted)).toBe('e64296c8feb115a9b4df87b507e545b6cc1a72b1f51b7b4dafca0aebf74ccf36');
});

test('changes with each member, and with no other', () => {
  const changed: EventContent[] = [
    { ...sealed, order_id: sealed.id },
    { ...sealed, sequence: 8 },
    { ...sealed, id: sealed.order_id },
    { ...sealed, type: 'order.delivered' },
    { ...sealed, internal_type: 'CUSTODY_TRANSFERRED' },
    { ...sealed, ts_utc: '2026-01-15T09:30:00.001Z' },
    { ...sealed, gps_lat: 52.520009 },
    { ...sealed, gps_lng: null },
    { ...sealed, payload: { seal_ids: ['S-1042'] } },
  ];
  expect(new Set([sealed, ...changed].map(hex)).size).toBe(changed.length + 1);
  expect(hex({ ...sealed, event_hash: 'f' } as EventContent)).toBe(hex(sealed));
});
