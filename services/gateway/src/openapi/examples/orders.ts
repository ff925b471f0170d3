import { orderTexts } from '../../order-texts.ts';
import { clinic, laboratory } from './locations.ts';

const { external_id: _, ...absentDetails } = Object.fromEntries(
  Object.keys(orderTexts).map((name) => [name, null]),
) as Record<keyof typeof orderTexts, null>;

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
  ...absentDetails,
  notes: 'Keep at 4 °C.',
  pickup_detail: 'Ring at gate 2.',
  items: [{ goods_type: 'blood', seal_id: null }],
  price_total: null,
  cancel_reason: null,
  created_at: '2026-03-01T16:20:45.103Z',
  updated_at: '2026-03-01T16:20:45.103Z',
};
