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
