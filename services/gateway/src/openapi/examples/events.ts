import { orderId } from './orders.ts';

/**
 * Returns the example payload of an event (contract 6.5, decision 42), with the head of the order's
 * custody chain.
 */
export const eventExample = (event: string, status: string) => ({
  event,
  occurred_at: '2026-03-02T08:31:02.000Z',
  data: {
    order: {
      id: orderId,
      external_id: 'LAB-2026-000417',
      status,
      updated_at: '2026-03-02T08:31:02.000Z',
      sequence: 6,
    },
    custody: {
      sequence: 6,
      head_hash: '25e375d45d2a5b3ce1ea07556897e45287cb20b6e8423a55daa381f04166ddd7',
    },
  },
  links: { order: `https://api.operator.example/api/partner/v1/orders/${orderId}` },
});

/** The example payload of a test event (decision 43). */
export const testEventExample = {
  ...eventExample('order.test', 'submitted'),
  data: {
    order: {
      id: '00000000-0000-4000-8000-000000000000',
      external_id: 'TEST',
      status: 'submitted',
      updated_at: '2026-03-02T08:31:02.000Z',
      sequence: 1,
    },
    test: true,
  },
  links: {
    order:
      'https://api.operator.example/api/partner/v1/orders/00000000-0000-4000-8000-000000000000',
  },
};
