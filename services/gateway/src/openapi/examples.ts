import {
  clinic,
  condition,
  custodyEntry,
  custodyProof,
  delivery,
  deliveryId,
  endpointId,
  endpointSummary,
  eventPage,
  linkId,
  loggedRequest,
  order,
  orderCustody,
  webhookEndpoint,
} from './example-values.ts';

/**
 * Examples by the schema's title: one plausible, invented value for each named schema. An operation
 * whose response would contradict the example of its schema has its own example in
 * `responseExamples`.
 */
export const examples: Readonly<Record<string, unknown>> = {
  Ping: { status: 'ok', organization: 'Laboratory Am Kanal', environment: 'sandbox' },
  Order: order,
  OrderList: { data: [order], next_cursor: null, as_of: null },
  OrderCustody: orderCustody,
  CustodyProof: custodyProof,
  CustodyEntry: custodyEntry,
  EventPage: eventPage,
  OrderCreate: {
    external_id: 'LAB-2026-000417',
    pickup: {
      address: {
        street: 'Lindenallee 12',
        zip: '10115',
        city: 'Berlin',
        label: 'Blood bank, gate 2',
      },
    },
    dropoff: { address_text: 'Am Kanal 5, 14467 Potsdam' },
    sla: 'EXPRESS',
    pickup_window_start: '2030-03-02T08:00:00Z',
    pickup_window_end: '2030-03-02T09:00:00Z',
    notes: 'Keep at 4 °C.',
    pickup_detail: 'Ring at gate 2.',
    items: [{ goods_type: 'blood' }],
    required_evidence: { pickup: ['scan'], dropoff: ['signature'] },
    temperature_min: 2,
    temperature_max: 8,
  },
  ConditionCreate: {
    device_id: 'TL-0007',
    calibration_reference: 'CAL-2030-118',
    calibration_date: '2030-01-14',
    unit: 'celsius',
    media_type: 'text/csv',
    readings: 'time,value\n2030-03-02T08:00:00Z,4.1\n2030-03-02T08:05:00Z,4.3\n',
    summary: { count: 2, minimum: 4.1, maximum: 4.3 },
  },
  Condition: condition,
  OrderCancel: { reason: 'The donor was not available.' },
  SandboxAdvance: { to: 'SEALED' },
  SandboxSteps: {
    status: 'ASSIGNED',
    next: 'ACCEPTED',
    actions: ['to', 'decline', 'incident', 'escalation'],
    run: {
      plan: 'decline',
      state: 'running',
      taken: 1,
      count: 10,
      next_at: '2026-03-02T08:31:02.918Z',
      reason: null,
    },
  },
  RehearsalRequest: { speed: 60, faults: ['duplicate', 'reorder'], duration: '30m' },
  Rehearsal: {
    speed: 60,
    faults: ['duplicate', 'reorder'],
    ends_at: '2026-03-02T09:01:02.918Z',
  },
  Location: clinic,
  LocationCreate: {
    label: 'Blood bank, gate 2',
    street: 'Lindenallee 12',
    zip: '10115',
    city: 'Berlin',
    contact_name: 'Reception',
  },
  WebhookEndpoint: webhookEndpoint,
  WebhookEndpointCreated: {
    ...webhookEndpoint,
    last_success_at: null,
    secret: 'whsec_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA',
    handshake: { ok: true, reason: null, status_code: 200 },
  },
  WebhookEndpointUpdated: { ...webhookEndpoint, handshake: null },
  WebhookEndpointCreate: {
    url: webhookEndpoint.url,
    event_filter: webhookEndpoint.event_filter,
  },
  WebhookEndpointUpdate: { event_filter: null, disabled: false },
  VerifyResult: {
    id: endpointId,
    status: 'ENABLED',
    verified: true,
    handshake: { ok: true, reason: null, status_code: 200 },
  },
  RotatedSecret: {
    id: endpointId,
    secret: 'whsec_EXAMPLE1EXAMPLE1EXAMPLE1EXAMPLE1EXAMPLE1EXA',
    previous_expires_at: '2026-03-03T08:31:02.918Z',
  },
  SecretRotation: { overlap: 86_400 },
  ApiKey: {
    id: linkId,
    name: 'Laboratory system',
    scopes: ['orders:read', 'orders:write', 'keys:rotate'],
    last4: 'k3Qz',
    created_at: '2030-03-01T07:00:00.000Z',
    expires_at: null,
    last_used_at: '2030-03-02T07:59:00.000Z',
    allowed_cidrs: ['192.0.2.0/24'],
    replaced_by: null,
    rotatable: true,
  },
  KeyRotation: { overlap: 86_400 },
  RotatedKey: {
    id: linkId,
    key: 'svc_test_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0',
    previous_expires_at: '2030-03-03T08:00:00.000Z',
  },
  PortalLinkCreate: { scopes: ['orders:read'], read_only: true, expires_in: 3600 },
  PortalLink: {
    id: '018f4f10-2c4e-7a59-8d3f-6e7f8091a2c4',
    url: 'https://portal.example.com/#ptl_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0',
    opens_until: '2026-03-02T09:31:02.918Z',
    expires_at: '2026-03-02T09:31:02.918Z',
    scopes: ['orders:read'],
    read_only: true,
    endpoint_id: null,
  },
  OrderLinkCreate: { side: 'dropoff' },
  NewOrderLink: {
    ...{ id: linkId, side: 'dropoff', created_at: '2026-03-02T08:31:02.918Z' },
    expires_at: '2026-04-01T08:31:02.918Z',
    url: 'https://portal.example.com/o#svc_test_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0',
  },
  OrderLink: {
    ...{ id: linkId, side: 'dropoff', created_at: '2026-03-02T08:31:02.918Z' },
    ...{ expires_at: '2026-04-01T08:31:02.918Z', views: 3 },
    last_viewed_at: '2026-03-02T09:02:44.107Z',
  },
  Delivery: delivery,
  DeliveryList: { data: [delivery], next_cursor: null },
  EndpointSummary: endpointSummary,
  OrderDeliveries: { data: [delivery], has_more: false, endpoints: [endpointSummary] },
  RequestList: { data: [loggedRequest], next_cursor: null },
  RecoverRequest: { since: '2026-03-01T00:00:00Z', until: null },
  Recovery: { queued: 12, retried: 0, until: '2026-03-02T08:31:02.918Z', next_since: null },
  TestRequest: { event_type: 'order.sealed' },
  TestResult: {
    ...{ id: endpointId, event: 'order.sealed', delivered: true, status_code: 204, error: null },
    ...{ duration_ms: 118, response_body: null },
  },
  WebhookEndpointMetrics: {
    days: [{ day: '2026-03-02', delivered: 412, failed: 1, pending: 3, p95_ms: 184 }],
  },
};

/** Examples of responses by the operation's id. */
export const responseExamples: Readonly<Record<string, unknown>> = {
  cancelOrder: {
    ...order,
    status: 'CANCELLED',
    cancel_reason: 'The donor was not available.',
    updated_at: '2026-03-01T17:03:20.550Z',
  },
  listOrders: { data: [order], next_cursor: null, as_of: '2026-03-02T08:00:00.104Z' },
  replayDelivery: {
    ...delivery,
    id: '018f4f10-2c4e-7a59-8d3f-6e7f8091a2b3',
    state: 'PENDING',
    replay_of: deliveryId,
    created_at: '2026-03-02T10:15:00.204Z',
    due_at: '2026-03-02T10:15:00.204Z',
    attempts: [],
  },
};

/**
 * Returns a schema's example: the entry of `examples` for the schema's title; for an array, a list
 * with the example of its items.
 */
export const exampleOf = (json: Readonly<Record<string, unknown>>): unknown =>
  json.type === 'array'
    ? [exampleOf(json.items as Readonly<Record<string, unknown>>)]
    : examples[String(json.title)];
