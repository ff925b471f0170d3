/** The entries of a transport: handovers, temperatures, incidents and an erasure. */
import { type ChainEntry, commitmentOf, entryHash, genesisHash } from '@pto/custody-verifier';

export interface Event {
  readonly internalType: string;
  readonly type?: string;
  readonly at: string;
  readonly payload?: Readonly<Record<string, unknown>> | null;
  /** Values of personal fields. */
  readonly personal?: Readonly<Record<string, string>>;
  /** Personal fields whose values the file does not have. */
  readonly erased?: readonly string[];
  readonly position?: readonly [number, number];
}

/** Links events into the chain of an order, with the commitments of their personal fields. */
export const chained = (orderId: string, events: readonly Event[]): readonly ChainEntry[] => {
  const chain: ChainEntry[] = [];
  events.forEach((event, n) => {
    const salt = String(n % 10).repeat(64);
    const personal = Object.entries(event.personal ?? {});
    const commitments = personal.map(([field, value]) => [
      field,
      { commitment: commitmentOf(field, { value, salt }) },
    ]);
    const disclosed = personal
      .filter(([field]) => !event.erased?.includes(field))
      .map(([field, value]) => [field, { value, salt }]);
    const entry = {
      id: `b7d0d3c4-0a55-4c3e-8a1f-${String(n).padStart(12, '0')}`,
      type: event.type ?? 'order.updated',
      internal_type: event.internalType,
      ts_utc: event.at,
      gps_lat: event.position?.[0] ?? null,
      gps_lng: event.position?.[1] ?? null,
      payload:
        event.payload === undefined && personal.length === 0
          ? null
          : { ...event.payload, ...Object.fromEntries(commitments) },
      prev_event_hash: chain.at(-1)?.event_hash ?? genesisHash(orderId),
    };
    chain.push({
      ...entry,
      event_hash: entryHash(orderId, entry),
      ...(disclosed.length > 0 && { disclosed: Object.fromEntries(disclosed) }),
    } as ChainEntry);
  });
  return chain;
};

export const artifactHash = 'a1b2c3d4'.repeat(8);
export const readingsHash = '5e6f7a8b'.repeat(8);
const day = (time: string): string => `2026-11-27T${time}.000Z`;
const file = (sha256: string, media_type: string) => ({
  sha256,
  media_type,
  size: 48_213,
  kept_until: '2036-11-27T00:00:00.000Z',
});

const handover = {
  v: 'handover/1',
  stage: 'pickup',
  from: { party: 'Klinikum Łódź', role: 'shipper' },
  to: { party: 'MedTrans GmbH', role: 'courier' },
  methods: ['signature', 'scan'],
  scanned_seal_ids: ['S-1001', 'S-1002'],
  artifact: file(artifactHash, 'image/png'),
};

const excursion = {
  from: day('11:20:00'),
  to: day('11:32:30'),
  seconds: 750,
  limit: 'max',
  extreme: 9.4,
};

export const condition = {
  v: 'condition/1',
  device_id: 'TL-20 / 0815',
  calibration_reference: 'DKD-K-4711',
  calibration_date: '2025-10-01',
  calibration_expired: true,
  unit: 'celsius',
  from: day('09:40:00'),
  to: day('12:40:00'),
  count: 181,
  interval_seconds: 60,
  minimum: 3.1,
  maximum: 9.4,
  mean: 5.02,
  limit_min: 2,
  limit_max: 8,
  excursion_count: 1,
  excursion_seconds: 750,
  excursions: [excursion],
  readings: file(readingsHash, 'text/csv'),
  custody: {
    ...{ from: day('09:20:00'), to: day('12:56:00') },
    covered: {
      ...{ from: day('09:40:00'), to: day('12:40:00') },
      ...{ count: 181, minimum: 3.1, maximum: 9.4 },
    },
    outside: { excursion_count: 0, excursion_seconds: 0, excursions: [] },
  },
  curve: {
    minimum: Array.from({ length: 90 }, (_, n) => 3.1 + Math.round(n / 3) / 10),
    maximum: Array.from({ length: 90 }, (_, n) => (n > 49 && n < 57 ? 9.4 : 3.3 + n / 30)),
  },
  recorded_by: 'partner',
};

export const events: readonly Event[] = [
  { internalType: 'ORDER_SUBMITTED', at: day('08:00:00'), payload: { sla: 'EXPRESS' } },
  {
    internalType: 'ORDER_ASSIGNED',
    at: day('08:05:00'),
    payload: { transport_organization: 'MedTrans GmbH' },
  },
  { internalType: 'ORDER_ACCEPTED', at: day('08:06:00') },
  {
    internalType: 'DRIVER_ASSIGNED',
    at: day('08:10:00'),
    personal: { driver: 'Дмитрий Кузнецов' },
  },
  { internalType: 'PICKUP_STARTED', at: day('09:20:00') },
  {
    internalType: 'SEAL_APPLIED',
    at: day('09:28:00'),
    payload: { seal_ids: ['S-1001', 'S-1002'] },
  },
  {
    internalType: 'HANDOVER_RECORDED',
    at: day('09:30:00'),
    payload: { ...handover, place: 'Rampe 3' },
    personal: { from_person: 'Zoë Müller-Çelik', to_person: 'Дмитрий Кузнецов' },
    erased: ['from_person'],
    position: [51.7687, 19.4569],
  },
  { internalType: 'TRANSPORT_STARTED', at: day('09:35:00') },
  {
    internalType: 'INCIDENT_REPORTED',
    at: day('11:21:00'),
    personal: { note: 'Kühlung ausgefallen' },
  },
  { internalType: 'CONDITION_RECORDED', at: day('12:45:00'), payload: condition },
  {
    internalType: 'TEMPERATURE_EXCURSION',
    at: day('12:45:00'),
    payload: {
      v: 'condition/1',
      unit: 'celsius',
      from: condition.from,
      to: condition.to,
      minimum: 3.1,
      maximum: 9.4,
      limit_min: 2,
      limit_max: 8,
      excursion_count: 1,
      excursion_seconds: 750,
      readings_sha256: readingsHash,
    },
  },
  {
    internalType: 'HANDOVER_RECORDED',
    at: day('12:55:07'),
    payload: {
      ...handover,
      stage: 'dropoff',
      from: { party: 'MedTrans GmbH', role: 'courier' },
      to: { party: 'Ιατρείο Αθηνών', role: 'consignee' },
      methods: ['id_checked', 'scan'],
      scanned_seal_ids: ['S-1001', 'S-9999'],
      artifact: null,
    },
    personal: { to_person: 'Αικατερίνη Παπαδοπούλου' },
  },
  {
    internalType: 'SEAL_MISMATCH',
    at: day('12:55:07'),
    payload: {
      v: 'handover/1',
      stage: 'dropoff',
      missing_seal_ids: ['S-1002'],
      unexpected_seal_ids: ['S-9999'],
    },
  },
  { internalType: 'CUSTODY_TRANSFERRED', at: day('12:56:00') },
  { internalType: 'ROOM_INSPECTED', at: day('13:10:00'), payload: { place: 'Lager 2' } },
  { internalType: 'ORDER_CLOSED', at: day('14:00:00') },
  {
    internalType: 'PERSONAL_DATA_ERASED',
    at: '2027-01-08T10:00:00.000Z',
    payload: { erased: { from_person: [7] } },
  },
];
