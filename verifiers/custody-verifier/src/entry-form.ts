import { disclosureFault } from './commitment.ts';
import { jsonFault, membersFault } from './read-json.ts';

/**
 * Returns what is wrong with an entry's form, or null. An entry must have exactly the members of
 * contract 2.4, so that all of its content is hashed, and each value must have the form of decision
 * 30. It may also have `disclosed`, whose values must match the payload's commitments (decision 70).
 * The two hashes are not checked: `verifyChain` compares them with computed ones.
 */
export const entryFault = (value: unknown): string | null => {
  const isDisclosing = typeof value === 'object' && value !== null && 'disclosed' in value;
  const fault = membersFault(value, isDisclosing ? disclosingMembers : members);
  if (fault) return fault;
  const entry = value as Record<(typeof members)[number], unknown>;
  if (!isUuid(entry.id)) return 'id is not a UUID in lower case';
  for (const name of ['type', 'internal_type'] as const)
    if (typeof entry[name] !== 'string' || !entry[name].isWellFormed()) return `${name} is no text`;
  if (!isInstant(entry.ts_utc)) return 'ts_utc is not a time written YYYY-MM-DDTHH:mm:ss.sssZ';
  if (!isDegrees(entry.gps_lat, 90)) return degreesReason('gps_lat', 90);
  if (!isDegrees(entry.gps_lng, 180)) return degreesReason('gps_lng', 180);
  const ofPayload = payloadFault(entry.payload);
  if (ofPayload || !isDisclosing) return ofPayload;
  return disclosureFault(entry.payload, (value as { disclosed: unknown }).disclosed);
};

/** Whether a value is a UUID in lower case, as the service writes it. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value);

/**
 * Whether a value is an existing time in the form `YYYY-MM-DDTHH:mm:ss.sssZ`, of the years 0001 to
 * 9999 (decision 6).
 */
export const isInstant = (value: unknown): value is string =>
  typeof value === 'string' &&
  literalForm.test(value) &&
  // the days up to 28 exist in every month
  (value.slice(8, 10) < '29' || new Date(value).toISOString() === value);

const literalForm =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const members = [
  'id',
  'type',
  'internal_type',
  'ts_utc',
  'gps_lat',
  'gps_lng',
  'payload',
  'prev_event_hash',
  'event_hash',
] as const;
const disclosingMembers = [...members, 'disclosed'] as const;

const payloadDepthMax = 32;

const payloadFault = (payload: unknown): string | null => {
  if (typeof payload !== 'object' || Array.isArray(payload))
    return 'payload is neither an object nor null';
  const fault = jsonFault(payload, payloadDepthMax);
  return fault && `payload: ${fault}`;
};

/**
 * Whether a value is null or a number from -max to max with at most 6 decimals, but not -0. The
 * check rounds to millionths: a number with at most 6 decimals stays the same double, any other
 * changes.
 */
const isDegrees = (value: unknown, max: number): boolean =>
  value === null ||
  (typeof value === 'number' &&
    Math.abs(value) <= max &&
    !Object.is(value, -0) &&
    Math.round(value * 1e6) / 1e6 === value);

const degreesReason = (name: string, max: number): string =>
  `${name} is neither null nor a number from -${max} to ${max} with at most 6 decimals`;
