import { bad } from './forge.ts';
import type { Vector } from './vector.ts';

const entryOne = (name: string, change: (entry: Record<string, unknown>) => void, why: string) =>
  bad('entries', name, (draft) => change(draft.entries[0]), { index: 0, reason: why });
const tooManyDecimals =
  'gps_lat is neither null nor a number from -90 to 90 with at most 6 decimals';
const timeForm = 'ts_utc is not a time written YYYY-MM-DDTHH:mm:ss.sssZ';

/** Entries that are not as the ledger writes them. */
export const entryForm: Vector[] = [
  entryOne(
    'an entry with a member that is not hashed',
    (e) => {
      e.comment = 'x';
    },
    'the member "comment" does not belong there',
  ),
  entryOne(
    'an entry without a member that is hashed',
    (e) => {
      delete e.gps_lat;
    },
    'the member gps_lat is missing',
  ),
  entryOne(
    'an id in upper case',
    (e) => {
      e.id = String(e.id).toUpperCase();
    },
    'id is not a UUID in lower case',
  ),
  entryOne(
    'a type that is no text',
    (e) => {
      e.type = 7;
    },
    'type is no text',
  ),
  entryOne(
    'a time without milliseconds',
    (e) => {
      e.ts_utc = '2026-01-15T09:30:00Z';
    },
    timeForm,
  ),
  entryOne(
    'a time with an offset',
    (e) => {
      e.ts_utc = '2026-01-15T09:30:00.000+00:00';
    },
    timeForm,
  ),
  entryOne(
    'a day that does not exist',
    (e) => {
      e.ts_utc = '2026-02-30T09:30:00.000Z';
    },
    timeForm,
  ),
  entryOne(
    'seven decimals',
    (e) => {
      e.gps_lat = 52.5200081;
    },
    tooManyDecimals,
  ),
  entryOne(
    'a latitude beyond the pole',
    (e) => {
      e.gps_lat = 90.000001;
    },
    tooManyDecimals,
  ),
  entryOne(
    'a latitude as text',
    (e) => {
      e.gps_lat = '52.520008';
    },
    tooManyDecimals,
  ),
  entryOne(
    'a payload that is a list',
    (e) => {
      e.payload = [];
    },
    'payload is neither an object nor null',
  ),
  entryOne(
    'a payload that is a text',
    (e) => {
      e.payload = '{}';
    },
    'payload is neither an object nor null',
  ),
  entryOne(
    'a hash in upper case',
    (e) => {
      e.event_hash = String(e.event_hash).toUpperCase();
    },
    'event_hash is not 64 lower-case hex digits',
  ),
  entryOne(
    'a hash of 63 digits',
    (e) => {
      e.prev_event_hash = String(e.prev_event_hash).slice(1);
    },
    'prev_event_hash is not 64 lower-case hex digits',
  ),
];
