import {
  eventCustodyJson,
  eventJson,
  exampleAt,
  exampleBaseUrl,
  exampleHash,
  testEventJson,
} from '@pto/representation';

export const clinic = {
  id: '018f4e90-1c5d-7a2e-b6f4-3d8e9a0b1c11',
  label: 'Blood bank, gate 2',
  street: 'Lindenallee 12',
  zip: '10115',
  city: 'Berlin',
  country: 'DE',
  lat: 52.531677,
  lng: 13.381777,
  created_via_api: true,
  created_at: '2026-03-01T10:02:11.482Z',
};
export const laboratory = {
  ...clinic,
  id: '018f4e90-9f02-7d18-8c77-6b5a4c3d2e1f',
  label: 'Am Kanal 5, 14467 Potsdam',
  street: 'Am Kanal 5',
  zip: '14467',
  city: 'Potsdam',
  lat: 52.395841,
  lng: 13.062441,
};

export const orderId = '018f4e9c-2b7a-7c31-9d55-4a1e0f6b8c22';

export const order = {
  id: orderId,
  external_id: 'LAB-2026-000417',
  status: 'SUBMITTED',
  sla: 'EXPRESS',
  source: 'partner_api',
  pickup_location: clinic,
  dropoff_location: laboratory,
  dropoff_address_text: 'Am Kanal 5, 14467 Potsdam',
  pickup_window_start: '2030-03-02T08:00:00.000Z',
  pickup_window_end: '2030-03-02T09:00:00.000Z',
  pickup_eta: '2030-03-02T08:00:00.000Z',
  dropoff_eta: '2030-03-02T09:40:00.000Z',
  eta_source: 'estimate',
  notes: 'Keep at 4 °C.',
  pickup_detail: 'Ring at gate 2.',
  dropoff_detail: null,
  items: [{ goods_type: 'blood', seal_id: null }],
  price_total: null,
  cancel_reason: null,
  required_evidence: { pickup: ['scan'], dropoff: ['signature'], return: [] },
  temperature_min: 2,
  temperature_max: 8,
  has_incident: false,
  open_incidents: [],
  created_at: '2026-03-01T16:20:45.103Z',
  updated_at: '2026-03-01T16:20:45.103Z',
};

const conditionCustody = {
  from: '2026-03-02T07:58:00.000Z',
  to: null,
  covered: {
    from: '2026-03-02T08:00:00.000Z',
    to: '2026-03-02T08:05:00.000Z',
    ...{ count: 2, minimum: 4.1, maximum: 4.3 },
  },
  outside: { excursion_count: 0, excursion_seconds: 0, excursions: [] },
};

/** The response to recorded readings. */
export const condition = {
  order_id: orderId,
  sequence: 9,
  custody: conditionCustody,
  payload: {
    v: 'condition/1',
    device_id: 'TL-0007',
    calibration_reference: 'CAL-2030-118',
    calibration_date: '2030-01-14',
    calibration_expired: false,
    unit: 'celsius',
    from: '2026-03-02T08:00:00.000Z',
    to: '2026-03-02T08:05:00.000Z',
    count: 2,
    interval_seconds: 300,
    minimum: 4.1,
    maximum: 4.3,
    mean: 4.2,
    limit_min: 2,
    limit_max: 8,
    excursion_count: 0,
    excursion_seconds: 0,
    excursions: [],
    readings: {
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      media_type: 'text/csv',
      size: 73,
      kept_until: '2035-03-01T08:06:00.000Z',
      normalized_sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    },
    custody: conditionCustody,
    curve: { minimum: [4.1, 4.3], maximum: [4.1, 4.3] },
    recorded_by: 'partner',
  },
};

export const custodyEntry = {
  id: 'b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d01',
  type: 'order.sealed',
  internal_type: 'SEAL_APPLIED',
  ts_utc: '2026-01-15T09:30:00.000Z',
  gps_lat: 52.520008,
  gps_lng: 13.404954,
  payload: { seal_ids: ['S-1042'] },
  prev_event_hash: '5a5b5d8c1f3327bf148469659cbba9de653b9781c8d53e2a0ba2b1cec7178e60',
  event_hash: 'd26f6224a237635d35bd96dc2d6011468c442ffe6b6f2cfbf6ed63f50bcdf983',
};

const origin = 'api.operator.example/custody';
const note = `${origin}\n57\nh0LhJK394r3ApES3pzqgi0s1tDSOUsVhekbbE9FoBUA=\n\n— ${origin} c/t/FzTwvd+1o…\n`;

export const orderCustody = {
  order_id: '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11',
  count: 1,
  head_hash: custodyEntry.event_hash,
  checkpoint: {
    origin,
    leaf_index: 41,
    tree_size: 57,
    signed_at: '2026-01-15T09:30:01.204Z',
    note,
  },
};

export const custodyProof = {
  v: 'custody-proof/1',
  order_id: orderCustody.order_id,
  genesis: {
    rule: 'hex(SHA-256(JCS({"v":"custody-genesis/1","order_id":order_id})))',
    hash: custodyEntry.prev_event_hash,
  },
  entries: [custodyEntry],
  count: 1,
  head_hash: custodyEntry.event_hash,
  log: {
    origin,
    leaf_index: 41,
    tree_size: 57,
    inclusion: ['pQtU3rkUWqO3oHf2lBvV0kUuAqkKq3cO2lQ9b0o0m1E='],
    checkpoint: note,
  },
  keys: [
    {
      vkey: `${origin}+73fb7f17+AQ…`,
      valid_from: '2026-01-01T00:00:00.000Z',
      valid_until: null,
    },
  ],
  completeness: {
    count: 1,
    head_hash: custodyEntry.event_hash,
    path: ['m0Yx8r1yqvC4WqjYlQ2m2n3r6bQ5yKc1rV0Jt6hN3sA='],
    other_leaf: null,
    checkpoint: note,
  },
};

export const endpointId = '018f4ea1-77d0-7e4c-8a3b-5c9d2e1f0a44';

export const webhookEndpoint = {
  id: endpointId,
  url: 'https://hooks.laboratory.example/transport',
  status: 'ENABLED',
  disabled: false,
  event_filter: ['order.sealed', 'order.delivered'],
  consecutive_failures: 0,
  last_success_at: '2026-03-02T08:31:02.918Z',
  last_failure_at: null,
  health: { failure_ratio: 0, breaks_at: null },
  created_at: '2026-02-27T12:00:00.000Z',
};

export const deliveryId = '018f4eb2-60a1-7f0d-9b1e-2a3b4c5d6e7f';

export const delivery = {
  id: deliveryId,
  endpoint_id: endpointId,
  endpoint_address: 'hooks.laboratory.example/transport',
  endpoint_deleted_at: null,
  order_id: orderId,
  order_external_id: 'LAB-2026-000417',
  event: 'order.sealed',
  sequence: 42,
  state: 'DELIVERED',
  reason: null,
  replay_of: null,
  created_at: '2026-03-02T08:31:02.611Z',
  due_at: null,
  attempts: [
    {
      at: '2026-03-02T08:31:02.640Z',
      status_code: 204,
      error: null,
      duration_ms: 118,
      response_body: null,
    },
  ],
};

export const endpointSummary = {
  endpoint_id: endpointId,
  endpoint_address: 'hooks.laboratory.example/transport',
  endpoint_deleted_at: null,
  endpoint_status: 'ENABLED',
  endpoint_disabled: false,
  events: 6,
  delivered: 6,
  failed: 0,
  last_delivered_at: '2026-03-02T08:31:02.640Z',
  due_at: null,
  last_failure: null,
};

/**
 * Returns the example payload of an event (contract 6.5, decision 42), with the head of the order's
 * custody chain.
 */
export const eventExample = (event: string, status: string) => {
  const externalId = 'LAB-2026-000417';
  const order = { id: orderId, externalId, status, updatedAt: exampleAt, sequence: 6 };
  const fields = { event, occurredAt: exampleAt, order };
  return eventJson(fields, exampleBaseUrl, eventCustodyJson(6, exampleHash));
};

/** The example page of the event feed. */
export const eventPage = {
  data: [
    {
      number: 1207,
      ...eventExample('order.sealed', 'sealed'),
      custody: {
        id: custodyEntry.id,
        leaf_index: 41,
        prev_event_hash: custodyEntry.prev_event_hash,
        event_hash: exampleHash,
      },
    },
  ],
  next_after: 1207,
  feed: '9f2c4e7ab1d05368',
  has_more: false,
  as_of: '2026-03-02T08:31:03.204Z',
  checkpoint: note,
};

/** The example payload of a test event (decision 43). */
export const testEventExample = testEventJson('order.test', exampleAt, exampleBaseUrl);

export const loggedRequest = {
  id: '019cadac-18e6-7c1e-9d2a-3b4c5d6e7f80',
  at: '2026-03-02T08:31:02.886Z',
  method: 'POST',
  path: `/orders/${orderId}/cancel`,
  operation: 'cancelOrder',
  status: 400,
  code: 'CANCEL_NOT_ALLOWED',
  errors: [],
  required_scope: null,
  request_id: '8d0f7c1e-52ab-4c3d-9e6f-1a2b3c4d5e6f',
  duration_ms: 18,
  key_id: '018f4e8f-7a10-7b3c-8e4d-5f6071829304',
  left_out: null,
};

export const linkId = '018f4f10-5a1b-7c62-9e40-7f8091a2b3d5';
