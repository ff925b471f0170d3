/** Payloads of the custody entries that are evidence (decision 71), as a page reads them. */

/** A file that an entry names. */
export interface Artifact {
  readonly media_type: string;
  readonly sha256: string;
  readonly kept_until: string;
}

interface Party {
  readonly party: string;
  readonly role: string;
}

/** An entry `HANDOVER_RECORDED`. */
export interface HandoverPayload {
  readonly stage: string;
  readonly from: Party;
  readonly to: Party;
  readonly methods: readonly string[];
  readonly scanned_seal_ids: readonly string[] | null;
  readonly artifact: Artifact | null;
}

/** An entry `SEAL_MISMATCH`. */
export interface MismatchPayload {
  readonly stage: string;
  readonly missing_seal_ids: readonly string[];
  readonly unexpected_seal_ids: readonly string[];
}

/** An entry `CONDITION_RECORDED`, or `TEMPERATURE_EXCURSION` with fewer members. */
export interface ConditionPayload {
  readonly device_id?: string;
  readonly calibration_expired?: boolean | null;
  /** celsius, fahrenheit or kelvin; of all values but the limits. */
  readonly unit: string;
  readonly from: string;
  readonly to: string;
  readonly count?: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly mean?: number;
  /** °C. */
  readonly limit_min: number | null;
  /** °C. */
  readonly limit_max: number | null;
  readonly excursion_count: number;
  readonly excursion_seconds: number;
  /** Which readings lie within the custody (decision 78); absent in older entries. */
  readonly custody?: {
    readonly covered: {
      readonly from: string;
      readonly to: string;
      readonly count: number;
    } | null;
    readonly outside: { readonly excursion_count: number; readonly excursion_seconds: number };
  };
  /** The file of the readings. */
  readonly readings?: Artifact;
}

/** Returns a temperature in °C with at most 2 decimals. */
export const celsius = (value: number, unit: string): number => {
  const exact =
    unit === 'fahrenheit' ? (value - 32) / 1.8 : unit === 'kelvin' ? value - 273.15 : value;
  return Math.round(exact * 100) / 100;
};
