/**
 * The payloads of custody entries that are evidence (decision 71), as orders writes and as exports,
 * console and verifiers read them. payload-fields.ts states which of their fields are personal.
 */
import type {
  evidenceMethods,
  handoverMethods,
  handoverStages,
  partyRoles,
  temperatureUnits,
} from './vocabulary.ts';

export type HandoverStage = (typeof handoverStages)[number];
export type HandoverMethod = (typeof handoverMethods)[number];
export type EvidenceMethod = (typeof evidenceMethods)[number];
export type PartyRole = (typeof partyRoles)[number];
export type TemperatureUnit = (typeof temperatureUnits)[number];

/** A file that an entry names. */
export type ArtifactReference = {
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly media_type: string;
  /** In bytes. */
  readonly size: number;
  /** Time until which the file is retained; its hash stays. */
  readonly kept_until: string;
};

/** A party of a handover: the organization. The person is a field of its own. */
export type HandoverParty = { readonly party: string; readonly role: PartyRole };

/** `HANDOVER_RECORDED`. */
export type HandoverPayload = {
  readonly v: 'handover/1';
  readonly stage: HandoverStage;
  readonly from: HandoverParty;
  readonly to: HandoverParty;
  readonly from_person?: string;
  readonly to_person?: string;
  readonly methods: readonly HandoverMethod[];
  /** Null without the method `scan`. */
  readonly scanned_seal_ids: readonly string[] | null;
  readonly artifact: ArtifactReference | null;
};

/** `SEAL_MISMATCH`. */
export type SealMismatchPayload = {
  readonly v: 'handover/1';
  readonly stage: HandoverStage;
  readonly missing_seal_ids: readonly string[];
  readonly unexpected_seal_ids: readonly string[];
};

/** The member `device` of an entry that a driver's device has signed (decision 85). */
export type DevicePayload = {
  readonly v: 'device/1';
  /** An uncompressed point of P-256: 65 bytes in base64url. */
  readonly key: string;
  readonly driver_id: string;
  readonly carrier_id: string;
  readonly command_id: string;
  /** The device's own time. */
  readonly at: string;
  /** The newest entry that the device had seen; null: none. */
  readonly seen: { readonly entry: number; readonly hash: string } | null;
  /** ECDSA with SHA-256: r and s, 64 bytes in base64url. */
  readonly signature: string;
};

/** The member `kept` of `DEVICE_RECORD_KEPT`: which step could not be applied, and why. */
export type KeptPayload = { readonly internal_type: string; readonly reason: string };

/** Consecutive readings outside of one limit. */
export type Excursion = {
  /** Time of the first reading outside. */
  readonly from: string;
  /** Time of the first reading that is no longer outside, or of the last reading. */
  readonly to: string;
  readonly seconds: number;
  readonly limit: 'min' | 'max';
  /** The lowest or the highest value, in the unit of the readings. */
  readonly extreme: number;
};

type Excursions = {
  readonly excursion_count: number;
  readonly excursion_seconds: number;
  /** The first 100 within the custody, the first 20 outside of it. */
  readonly excursions: readonly Excursion[];
};

/**
 * The time in which the transport had the goods, as far as it is known (decision 78): times
 * `YYYY-MM-DDTHH:mm:ss.sssZ`.
 */
export type Custody = {
  /** The pick-up started; null: not yet. */
  readonly from: string | null;
  /** The goods were delivered; null: not yet. */
  readonly to: string | null;
};

/** The readings within the custody. */
export type Covered = {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly minimum: number;
  readonly maximum: number;
};

/**
 * The course of readings, for a chart: the lowest and the highest value of each of up to 100 equal
 * spans from the first reading to the last, with 2 decimals; null for a span without a reading. It
 * stays in the entry when the file is no longer retained.
 */
export type Curve = {
  readonly minimum: readonly (number | null)[];
  readonly maximum: readonly (number | null)[];
};

/** `CONDITION_RECORDED`. */
export type ConditionPayload = Excursions & {
  readonly v: 'condition/1';
  readonly device_id: string;
  /** Null if unknown. */
  readonly calibration_reference: string | null;
  readonly calibration_date: string | null;
  readonly calibration_expired: boolean | null;
  /** Of all values but the limits. */
  readonly unit: TemperatureUnit;
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** Null for a single reading. */
  readonly interval_seconds: number | null;
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** In °C, as the order has it. */
  readonly limit_min: number | null;
  readonly limit_max: number | null;
  /** The file, and the digest of the readings whatever the form of their file. */
  readonly readings: ArtifactReference & { readonly normalized_sha256: string };
  /**
   * The custody as it was known when the readings were recorded, which part of it they cover, and
   * the excursions outside of it, which are no incident (decision 78).
   */
  readonly custody: Custody & { readonly covered: Covered | null; readonly outside: Excursions };
  readonly curve: Curve;
  readonly recorded_by: 'partner' | 'operator' | 'driver';
};

/** `TEMPERATURE_EXCURSION`: the excursions within the custody of a condition, in short. */
export type ExcursionPayload = Pick<
  ConditionPayload,
  | 'v'
  | 'unit'
  | 'from'
  | 'to'
  | 'minimum'
  | 'maximum'
  | 'limit_min'
  | 'limit_max'
  | 'excursion_count'
  | 'excursion_seconds'
> & { readonly readings_sha256: string };

/** A condition as readers have it: entries before decision 78 lack its members. */
export type ReadCondition = Omit<ConditionPayload, 'custody' | 'curve'> &
  Partial<Pick<ConditionPayload, 'custody' | 'curve'>>;
