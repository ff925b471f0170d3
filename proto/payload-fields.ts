/**
 * The fields of custody entries' payloads, by internal type (decision 70). A personal field can
 * identify a person. Its value enters the entry's hash as a commitment and can be erased. An open
 * field (an id, a time, a place, a seal, goods, a condition, the name of an organization) is hashed
 * as it is and stays forever. No payload has another field.
 */
import type {
  ConditionPayload,
  ExcursionPayload,
  HandoverPayload,
  SealMismatchPayload,
} from './payloads.ts';

export type PayloadField = 'personal' | 'open';

type Fields = Readonly<Record<string, PayloadField>>;
/** The fields of a payload, none missing and none too many. */
type FieldsOf<Payload> = { readonly [Name in keyof Required<Payload>]: PayloadField };

/** Fields that an operator may add to the entry of any command (`--payload`). */
export const operatorFields: Fields = {
  reference: 'open',
  place: 'open',
  temperature: 'open',
  person: 'personal',
  phone: 'personal',
  vehicle: 'personal',
  note: 'personal',
};

/** The fields that a command itself sets. An internal type that is not listed has none. */
const commandFields = {
  ORDER_SUBMITTED: { sla: 'open', item_count: 'open' },
  ORDER_ASSIGNED: { transport_organization: 'open' },
  ASSIGNMENT_DECLINED: { transport_organization: 'open' },
  DRIVER_ASSIGNED: { driver: 'personal' },
  DRIVER_RELEASED: { driver: 'personal' },
  DRIVER_ARRIVED: { stop: 'open' },
  SEAL_APPLIED: { seal_ids: 'open' },
  ORDER_CANCELLED: { cancelled_from: 'open' },
  ORDER_UPDATED: { fields: 'open' },
  INCIDENT_REPORTED: {
    note: 'personal',
    kind: 'open',
    severity: 'open',
    asks: 'personal',
    asked_by: 'personal',
    artifact: 'open',
  },
  INCIDENT_RESOLVED: { incident: 'open', note: 'personal' },
  ORDER_ESCALATED: { note: 'personal' },
  HANDOVER_RECORDED: {
    v: 'open',
    stage: 'open',
    from: 'open',
    to: 'open',
    from_person: 'personal',
    to_person: 'personal',
    methods: 'open',
    scanned_seal_ids: 'open',
    artifact: 'open',
  } satisfies FieldsOf<HandoverPayload>,
  SEAL_MISMATCH: {
    v: 'open',
    stage: 'open',
    missing_seal_ids: 'open',
    unexpected_seal_ids: 'open',
  } satisfies FieldsOf<SealMismatchPayload>,
  EVIDENCE_WAIVED: { stage: 'open', methods: 'open', note: 'personal' },
  DEVICE_REVOKED: { driver_id: 'open', key: 'open', from: 'open' },
  PERSONAL_DATA_ERASED: { erased: 'open' },
  CONDITION_RECORDED: {
    v: 'open',
    device_id: 'open',
    calibration_reference: 'open',
    calibration_date: 'open',
    calibration_expired: 'open',
    unit: 'open',
    from: 'open',
    to: 'open',
    count: 'open',
    interval_seconds: 'open',
    minimum: 'open',
    maximum: 'open',
    mean: 'open',
    limit_min: 'open',
    limit_max: 'open',
    excursion_count: 'open',
    excursion_seconds: 'open',
    excursions: 'open',
    readings: 'open',
    custody: 'open',
    curve: 'open',
    recorded_by: 'open',
  } satisfies FieldsOf<ConditionPayload>,
  TEMPERATURE_EXCURSION: {
    v: 'open',
    unit: 'open',
    from: 'open',
    to: 'open',
    minimum: 'open',
    maximum: 'open',
    limit_min: 'open',
    limit_max: 'open',
    excursion_count: 'open',
    excursion_seconds: 'open',
    readings_sha256: 'open',
  } satisfies FieldsOf<ExcursionPayload>,
} as const satisfies Readonly<Record<string, Fields>>;

/**
 * The fields that orders adds to the entry of a driver's command (decision 85): the device's record,
 * and of a record that could not be applied, which step it was and why. No sender sets them.
 */
export const deviceFields: Fields = { device: 'open', kept: 'open' };

export const payloadFields: Readonly<Record<string, Fields>> = {
  ...commandFields,
  DEVICE_RECORD_KEPT: {
    ...commandFields.DRIVER_ARRIVED,
    ...commandFields.SEAL_APPLIED,
    ...commandFields.INCIDENT_REPORTED,
    ...commandFields.HANDOVER_RECORDED,
    ...commandFields.CONDITION_RECORDED,
  },
};

/** Returns whether a field of an entry is personal or open; undefined for an undeclared field. */
export const payloadField = (internalType: string, name: string): PayloadField | undefined =>
  own(own(payloadFields, internalType) ?? {}, name) ??
  own(operatorFields, name) ??
  own(deviceFields, name);

/** The names of all personal fields. */
export const personalFields: readonly string[] = [
  ...new Set(
    [operatorFields, ...Object.values(payloadFields)].flatMap((fields) =>
      Object.keys(fields).filter((name) => fields[name] === 'personal'),
    ),
  ),
];

/** Returns the value of an own member, so that `constructor` and its like are undeclared. */
const own = <Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined;
