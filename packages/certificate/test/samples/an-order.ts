/** An order as the partner API returns it, with sealed goods and temperature limits. */
export const orderId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

const location = (label: string, street: string, zip: string, city: string, country: string) => ({
  id: 'c9bf9e57-1685-4c89-bafb-ff5af830be8a',
  label,
  street,
  zip,
  city,
  country,
  lat: 52.5266,
  lng: 13.3765,
  created_via_api: true,
  created_at: '2026-11-26T07:00:00.000Z',
});

export const order = {
  id: orderId,
  external_id: 'KH-2026-004711',
  status: 'CLOSED',
  sla: 'EXPRESS',
  source: 'API',
  pickup_location: location('Klinikum Łódź', 'ul. Żeromskiego 113', '90-549', 'Łódź', 'PL'),
  dropoff_location: location('Ιατρείο Αθηνών', 'Οδός Ερμού 12', '105 63', 'Αθήνα', 'GR'),
  dropoff_address_text: null,
  pickup_window_start: '2026-11-27T09:00:00.000Z',
  pickup_window_end: '2026-11-27T10:00:00.000Z',
  notes: 'The notes of an order are not certified.',
  pickup_detail: null,
  dropoff_detail: null,
  items: [
    { goods_type: 'Plasma', seal_id: 'S-1001' },
    { goods_type: 'Erythrozytenkonzentrat', seal_id: 'S-1002' },
  ],
  ...{ pickup_eta: null, dropoff_eta: null, eta_source: null },
  price_total: 129.9,
  cancel_reason: null,
  temperature_min: 2,
  temperature_max: 8,
  required_evidence: { pickup: ['signature', 'scan'], dropoff: ['id_checked'], return: [] },
  has_incident: false,
  open_incidents: [],
  created_at: '2026-11-26T15:12:00.000Z',
  updated_at: '2026-11-27T14:00:00.000Z',
};
