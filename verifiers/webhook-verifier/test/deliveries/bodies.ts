/** Bodies of deliveries, as the service writes them (contract 6.5; decisions 42 and 43). */
const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const base = 'https://api.example.com/api/partner/v1';

export const sealed = {
  event: 'order.sealed',
  occurred_at: '2026-03-02T08:31:02.000Z',
  sequence: 42,
  data: {
    order: {
      id,
      external_id: 'PO-2026-0815',
      status: 'sealed',
      updated_at: '2026-03-02T08:31:02.000Z',
      sequence: 6,
    },
    custody: {
      sequence: 6,
      head_hash: '25e375d45d2a5b3ce1ea07556897e45287cb20b6e8423a55daa381f04166ddd7',
    },
  },
  links: { order: `${base}/orders/${id}` },
};

const sampleId = '00000000-0000-4000-8000-000000000000';
export const sample = {
  event: 'order.test',
  occurred_at: '2026-03-02T08:31:02.000Z',
  data: {
    order: {
      id: sampleId,
      external_id: 'TEST',
      status: 'submitted',
      updated_at: '2026-03-02T08:31:02.000Z',
      sequence: 1,
    },
    test: true,
  },
  links: { order: `${base}/orders/${sampleId}` },
};

/** The same event of an order with another reference. */
export const referredToAs = (external_id: string | null) => ({
  ...sealed,
  data: { ...sealed.data, order: { ...sealed.data.order, external_id } },
});
