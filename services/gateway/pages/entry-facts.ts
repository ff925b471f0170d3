/** Describes the payload of a custody entry as labeled facts. Pure. Accepts any JSON value. */
import { disclosedOr, type Members, membersOf } from '@pto/custody-verifier/entry-members';
import { shownText } from './shown-text.ts';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

const labels: Readonly<Record<string, string>> = {
  sla: 'Service level',
  item_count: 'Items',
  transport_organization: 'Transport organization',
  driver: 'Driver',
  seal_ids: 'Seals',
  seal_id: 'Seal',
  cancelled_from: 'Cancelled from',
  fields: 'Changed',
  note: 'Note',
  erased: 'Erased',
  reference: 'Reference',
  place: 'Place',
  temperature: 'Temperature',
  person: 'Person',
  phone: 'Phone',
  vehicle: 'Vehicle',
  v: 'Form',
  stage: 'Stage',
  from: 'From',
  from_person: 'From person',
  to: 'To',
  to_person: 'To person',
  party: 'party',
  role: 'role',
  methods: 'Methods',
  scanned_seal_ids: 'Scanned seals',
  missing_seal_ids: 'Missing seals',
  unexpected_seal_ids: 'Unexpected seals',
  artifact: 'File',
  readings: 'File of readings',
  readings_sha256: 'SHA-256 of the readings',
  media_type: 'media type',
  sha256: 'SHA-256',
  size: 'bytes',
  kept_until: 'stored until',
  device_id: 'Device',
  calibration_reference: 'Calibration',
  calibration_date: 'Calibrated on',
  calibration_expired: 'Calibration expired',
  unit: 'Unit',
  count: 'Readings',
  interval_seconds: 'Longest interval (s)',
  limit_min: 'Lower limit',
  limit_max: 'Upper limit',
  minimum: 'Minimum',
  mean: 'Mean',
  maximum: 'Maximum',
  excursion_count: 'Excursions',
  excursion_seconds: 'Seconds out of limits',
  excursions: 'Excursion',
  custody: 'Custody',
  covered: 'covered',
  outside: 'outside',
  recorded_by: 'Recorded by',
};

const labelOf = (name: string): string =>
  Object.hasOwn(labels, name) ? labels[name]! : shownText(name);

const factsMax = 50;

/** Returns the payload's members that have a value, and the GPS position, as labeled facts. */
export const factsOf = (entry: Members): Fact[] => {
  const members = Object.keys(membersOf(entry.payload))
    .filter((name) => name !== 'curve') // up to 200 numbers
    .slice(0, factsMax);
  const facts = members
    .map((name) => ({
      label: labelOf(name),
      value: shownText(wordsOf(disclosedOr(entry, name, 'not disclosed'))),
    }))
    .filter(({ value }) => value !== '');
  const { gps_lat: lat, gps_lng: lng } = entry;
  if (typeof lat === 'number' && typeof lng === 'number')
    facts.push({ label: 'Place', value: `${lat}, ${lng}` });
  return facts;
};

const levelsMax = 3;

/** Returns a list or object as words, down to three levels; below that, and else, as it is. */
const wordsOf = (value: unknown, level = 1): unknown => {
  if (level > levelsMax || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isFlat = value.every((one) => typeof one !== 'object');
    return value
      .slice(0, factsMax)
      .map((one) => shownText(wordsOf(one, level + 1)))
      .join(isFlat ? ', ' : '; ');
  }
  return Object.entries(value)
    .slice(0, factsMax)
    .map(([name, one]) => `${labelOf(name)} ${shownText(wordsOf(one, level + 1))}`)
    .join(', ');
};
