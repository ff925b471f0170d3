/** A transport with a seal, three handovers, an excursion, an incident and an erased driver. */
import { createHash } from 'node:crypto';
import { uuid5 } from '../src/identifiers.ts';
import type { OrderRecord, RecordedEntry } from '../src/order-record.ts';

const orderId = '019ea2c4-5b1f-7c1e-9d4e-0f6a1b2c3d4e';
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const location = (id: string, label: string, lat: number | null, lng: number | null) => ({
  id,
  label,
  street: 'Hauptstraße 1',
  zip: '10115',
  city: 'Berlin',
  country: 'DE',
  lat,
  lng,
  created_via_api: true,
  created_at: '2026-01-15T07:00:00.000Z',
});

const order: OrderRecord['order'] = {
  id: orderId,
  external_id: 'LAB-2026/0042',
  status: 'CLOSED',
  sla: 'EXPRESS',
  source: 'API',
  pickup_location: location('019ea2c4-0000-7000-8000-000000000001', 'Ward 3', 52.53, 13.38),
  dropoff_location: location('019ea2c4-0000-7000-8000-000000000002', 'Laboratory', null, null),
  dropoff_address_text: null,
  pickup_window_start: '2026-01-15T08:00:00.000Z',
  pickup_window_end: '2026-01-15T10:00:00.000Z',
  ...{ pickup_eta: null, dropoff_eta: null, eta_source: null },
  notes: null,
  pickup_detail: null,
  dropoff_detail: null,
  price_total: null,
  cancel_reason: null,
  has_incident: true,
  open_incidents: [],
  items: [
    { goods_type: 'Blood samples', seal_id: '00123' },
    { goods_type: 'Tissue', seal_id: 'S 1E5' },
  ],
  created_at: '2026-01-15T07:00:00.000Z',
  updated_at: '2026-01-15T12:00:00.000Z',
  temperature_min: 2,
  temperature_max: 8,
  required_evidence: { pickup: ['photo'], dropoff: ['pin'], return: [] },
};

type Step = readonly [
  internalType: string,
  type: string,
  payload?: RecordedEntry['payload'],
  more?: Partial<RecordedEntry>,
];

const commitment = (text: string) => ({ commitment: sha256(text) });
const artifact = (name: string, media_type: string) => ({
  sha256: sha256(name),
  media_type,
  size: 48_213,
  kept_until: '2036-01-15T00:00:00.000Z',
});
const position = { gps_lat: 52.5301, gps_lng: 13.3801 };

const handover = (stage: string, from: string, to: string, more: object) => ({
  v: 'handover/1',
  stage,
  from: { party: from, role: from === 'Charité' ? 'shipper' : 'courier' },
  to: { party: to, role: to === 'Labor Nord' ? 'consignee' : 'courier' },
  ...more,
});

const condition = {
  v: 'condition/1',
  device_id: '00042',
  calibration_reference: 'DAkkS 2025-11/7',
  calibration_date: '2025-11-01',
  calibration_expired: false,
  unit: 'celsius',
  from: '2026-01-15T09:00:00.000Z',
  to: '2026-01-15T11:00:00.000Z',
  count: 121,
  interval_seconds: 60,
  minimum: 3,
  maximum: 9.4,
  mean: 5.25,
  limit_min: 2,
  limit_max: 8,
  excursion_count: 1,
  excursion_seconds: 300,
  excursions: [
    {
      from: '2026-01-15T10:00:00.000Z',
      to: '2026-01-15T10:05:00.000Z',
      seconds: 300,
      limit: 8,
      extreme: 9.4,
    },
  ],
  readings: artifact('readings', 'text/csv'),
  recorded_by: 'operator',
  custody: {
    ...{ from: '2026-01-15T08:00:00.000Z', to: null },
    covered: {
      ...{ from: '2026-01-15T09:00:00.000Z', to: '2026-01-15T11:00:00.000Z' },
      ...{ count: 121, minimum: 3, maximum: 9.4 },
    },
    outside: { excursion_count: 0, excursion_seconds: 0, excursions: [] },
  },
};

const steps: readonly Step[] = [
  ['ORDER_SUBMITTED', 'order.submitted', { sla: 'EXPRESS', item_count: 2 }],
  ['ORDER_ASSIGNED', 'order.assigned', { transport_organization: 'MediTrans GmbH' }],
  ['ORDER_ACCEPTED', 'order.accepted', null],
  ['DRIVER_ASSIGNED', 'order.driver_assigned', { driver: commitment('R. Kern') }],
  ['PICKUP_STARTED', 'order.pickup_started', null, position],
  ['SEAL_APPLIED', 'order.sealed', { seal_ids: ['00123', 'S 1E5'] }],
  [
    'HANDOVER_RECORDED',
    'order.updated',
    handover('pickup', 'Charité', 'MediTrans GmbH', {
      methods: ['photo', 'scan'],
      scanned_seal_ids: ['00123', 'S 1E5'],
      artifact: artifact('photo', 'image/jpeg'),
      from_person: commitment('Dr. Adler'),
      to_person: commitment('R. Kern'),
    }),
    { ...position, disclosed: { from_person: { value: 'Dr. Adler' } } },
  ],
  ['TRANSPORT_STARTED', 'order.in_transit', null, position],
  [
    'HANDOVER_RECORDED',
    'order.updated',
    handover('transfer', 'MediTrans GmbH', 'Kurier Süd', {
      methods: ['pin'],
      scanned_seal_ids: null,
      artifact: null,
    }),
  ],
  ['CONDITION_RECORDED', 'order.updated', condition],
  [
    'TEMPERATURE_EXCURSION',
    'order.incident_reported',
    {
      v: 'condition/1',
      unit: 'celsius',
      from: condition.from,
      to: condition.to,
      minimum: 3,
      maximum: 9.4,
      limit_min: 2,
      limit_max: 8,
      excursion_count: 1,
      excursion_seconds: 300,
      readings_sha256: sha256('readings'),
    },
  ],
  ['INCIDENT_REPORTED', 'order.incident_reported', { note: commitment('late') }],
  ['ORDER_ESCALATED', 'order.escalated', { note: commitment('call') }],
  ['CUSTODY_TRANSFERRED', 'order.delivered', null],
  [
    'HANDOVER_RECORDED',
    'order.updated',
    handover('dropoff', 'Kurier Süd', 'Labor Nord', {
      methods: ['scan', 'signature'],
      scanned_seal_ids: ['00124', 'S 1E5'],
      artifact: artifact('signature', 'image/png'),
    }),
  ],
  [
    'SEAL_MISMATCH',
    'order.incident_reported',
    {
      v: 'handover/1',
      stage: 'dropoff',
      missing_seal_ids: ['00123'],
      unexpected_seal_ids: ['00124'],
    },
  ],
  ['ORDER_CLOSED', 'order.closed', null],
  ['PERSONAL_DATA_ERASED', 'order.updated', { erased: { driver: [4], to_person: [7] } }],
  ['TELEPORTED', 'order.updated', { v: 'later/1' }],
];

const time = (at: number): string =>
  new Date(Date.UTC(2026, 0, 15, 7) + at * 15 * 60_000).toISOString();

const entries = steps.map(
  ([internal_type, type, payload = null, more], at): RecordedEntry => ({
    id: uuid5(orderId, `entry ${at}`),
    type,
    internal_type,
    ts_utc: time(at),
    gps_lat: null,
    gps_lng: null,
    payload,
    prev_event_hash: sha256(`${at - 1}`),
    event_hash: sha256(`${at}`),
    ...more,
  }),
);

export const orderRecord: OrderRecord = { order, custody: { entries } };

/** Returns the entries of an internal type. */
export const entriesOf = (internalType: string): readonly RecordedEntry[] =>
  entries.filter(({ internal_type }) => internal_type === internalType);

/** Returns a orderRecord of the same order with this history. */
export const withEntries = (...history: readonly RecordedEntry[]): OrderRecord => ({
  order,
  custody: { entries: history },
});
