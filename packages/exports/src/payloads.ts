/** The payloads of custody entries that the exports read beyond their type. */
import type { DossierEntry } from './dossier.ts';

/** Digest and form of a file that an entry refers to. */
export interface Artifact {
  /** SHA-256 as hexadecimal digits. */
  readonly sha256: string;
  readonly media_type: string;
  /** Bytes. */
  readonly size: number;
  readonly kept_until: string;
}

export interface HandoverParty {
  readonly party: string;
  /** `shipper`, `carrier`, `courier`, `consignee` or `other`. */
  readonly role: string;
}

export interface Handover {
  readonly stage: string;
  readonly from: HandoverParty;
  readonly to: HandoverParty;
  readonly methods: readonly string[];
  readonly scanned_seal_ids: readonly string[] | null;
  readonly artifact: Artifact | null;
}

export interface SealMismatch {
  readonly stage: string;
  readonly missing_seal_ids: readonly string[];
  readonly unexpected_seal_ids: readonly string[];
}

export type TemperatureUnit = 'celsius' | 'fahrenheit' | 'kelvin';

export interface Excursion {
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  /** Highest or lowest value, in the condition's unit. */
  readonly extreme: number;
}

export interface Condition {
  readonly device_id: string;
  /** Null if unknown. */
  readonly calibration_reference: string | null;
  readonly calibration_date: string | null;
  readonly calibration_expired: boolean | null;
  readonly unit: TemperatureUnit;
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** Null for a single reading. */
  readonly interval_seconds: number | null;
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** °C. */
  readonly limit_min: number | null;
  readonly limit_max: number | null;
  readonly excursion_count: number;
  readonly excursion_seconds: number;
  readonly excursions: readonly Excursion[];
  readonly readings: Artifact;
  /** `partner` or `operator`. */
  readonly recorded_by: string;
  /** The custody and the readings within it; absent in entries before decision 78. */
  readonly custody?: {
    readonly covered: { readonly from: string; readonly to: string } | null;
  };
}

/** Returns whether the calibration was valid at the first reading; `unknown` without its date. */
export const calibrationState = ({ calibration_expired: expired }: Condition): string => {
  if (expired === null) return 'unknown';
  return expired ? 'expired' : 'valid';
};

/** The summary of the excursions, in an entry of its own. */
export type TemperatureExcursion = Pick<
  Condition,
  'unit' | 'from' | 'to' | 'minimum' | 'maximum' | 'excursion_count' | 'excursion_seconds'
> & { readonly readings_sha256: string };

/**
 * Returns a reader of the payload of one internal type and version. The reader returns null for any
 * other entry, so that a later version of a payload breaks no export.
 */
const reader =
  <Payload>(internalType: string, version: string) =>
  ({ internal_type, payload }: DossierEntry): Payload | null =>
    internal_type === internalType && payload?.v === version ? (payload as Payload) : null;

export const handoverOf = reader<Handover>('HANDOVER_RECORDED', 'handover/1');
export const sealMismatchOf = reader<SealMismatch>('SEAL_MISMATCH', 'handover/1');
export const conditionOf = reader<Condition>('CONDITION_RECORDED', 'condition/1');

/** Returns the summary of excursions in an entry's payload of any version; null in other entries. */
export const temperatureExcursionOf = ({
  internal_type,
  payload,
}: DossierEntry): TemperatureExcursion | null =>
  internal_type === 'TEMPERATURE_EXCURSION' && typeof payload?.readings_sha256 === 'string'
    ? (payload as unknown as TemperatureExcursion)
    : null;

/** Returns the seals that an entry applies, one for each item, in order; none for another entry. */
export const appliedSeals = ({ internal_type, payload }: DossierEntry): readonly string[] => {
  const seals = internal_type === 'SEAL_APPLIED' ? payload?.seal_ids : null;
  return Array.isArray(seals) ? seals.map(String) : [];
};

/** The names of an entry's personal fields: those with a commitment. */
export const personalFieldsOf = ({ payload }: DossierEntry): readonly string[] =>
  Object.entries(payload ?? {})
    .filter(([, value]) => typeof value === 'object' && value !== null && 'commitment' in value)
    .map(([name]) => name);

/** Returns a personal field's value as text, or `erased` if it is not disclosed. */
export const personalValue = ({ disclosed }: DossierEntry, field: string): string => {
  if (!disclosed || !Object.hasOwn(disclosed, field)) return 'erased';
  const { value } = disclosed[field]!;
  return typeof value === 'string' ? value : JSON.stringify(value);
};
