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
