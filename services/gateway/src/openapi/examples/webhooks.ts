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
