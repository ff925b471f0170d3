import type { OrderCreate } from '../../typescript/src/index.ts';

/** An order that the sandbox accepts. */
export const sampleOrder: OrderCreate = {
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
  items: [{ goods_type: 'blood' }],
};
