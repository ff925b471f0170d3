import { invalid } from '@pto/errors';
import type { ArtifactReference } from '../domain/order.ts';
import { hasCalibrationExpired, requireCalibrationDate } from './calibration.ts';
import type { Curve } from './curve.ts';
import type { Custody } from './custody.ts';
import type { Excursion } from './excursions.ts';
import type { ConditionSummary, Covered, Excursions } from './summarize.ts';
import type { Limits, TemperatureUnit } from './units.ts';

/** The logger that took the readings. */
export interface Device {
  /** 1 to 128 characters. */
  readonly id: string;
  /** Names the calibration certificate, 1 to 128 characters; null if unknown. */
  readonly calibrationReference: string | null;
  /** `YYYY-MM-DD`; null if unknown. */
  readonly calibrationDate: string | null;
}

/** The payload of a custody entry `CONDITION_RECORDED`. */
export type ConditionPayload = {
  readonly v: 'condition/1';
  readonly device_id: string;
  readonly calibration_reference: string | null;
  readonly calibration_date: string | null;
  readonly calibration_expired: boolean | null;
  readonly unit: TemperatureUnit;
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly interval_seconds: number | null;
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** In °C, as the order has it. */
  readonly limit_min: number | null;
  /** In °C, as the order has it. */
  readonly limit_max: number | null;
  /** Of the readings within the custody. */
  readonly excursion_count: number;
  readonly excursion_seconds: number;
  readonly excursions: readonly Excursion[];
  readonly readings: ReadingsReference;
  readonly custody: CoveredCustody;
  readonly curve: Curve;
  readonly recorded_by: 'partner' | 'operator';
};

/** A file of readings, and the digest of the readings whatever the form of their file. */
export type ReadingsReference = ArtifactReference & { readonly normalized_sha256: string };

/**
 * The custody as it was known when the readings were recorded, which part of it they cover, and the
 * excursions outside of it, which are no incident (decision 78).
 */
export type CoveredCustody = Custody & {
  readonly covered: Covered | null;
  readonly outside: Pick<ConditionPayload, 'excursion_count' | 'excursion_seconds' | 'excursions'>;
};

/** The parts of a condition record. */
export interface ConditionRecord {
  readonly device: Device;
  readonly unit: TemperatureUnit;
  readonly limits: Limits;
  readonly summary: ConditionSummary;
  readonly custody: Custody;
  readonly readings: ArtifactReference;
  /** Who sent the readings. */
  readonly recordedBy: 'partner' | 'operator';
}

const nameMax = 128;

/**
 * Returns the payload of a custody entry for readings, below 64 KiB.
 * @throws Failure VALIDATION at `["device", NAME]` for a text that is empty or too long, and for a
 *   calibration date that does not exist or is after the day of the last reading (UTC)
 */
export const conditionPayload = ({
  device,
  unit,
  limits,
  summary,
  custody,
  readings,
  recordedBy,
}: ConditionRecord): ConditionPayload => {
  requireName('id', device.id);
  if (device.calibrationReference !== null)
    requireName('calibration_reference', device.calibrationReference);
  if (device.calibrationDate !== null) requireCalibrationDate(device.calibrationDate, summary.to);
  return {
    v: 'condition/1',
    device_id: device.id,
    calibration_reference: device.calibrationReference,
    calibration_date: device.calibrationDate,
    calibration_expired:
      device.calibrationDate === null
        ? null
        : hasCalibrationExpired(device.calibrationDate, summary.from),
    unit,
    from: summary.from,
    to: summary.to,
    count: summary.count,
    interval_seconds: summary.intervalSeconds,
    minimum: summary.minimum,
    maximum: summary.maximum,
    mean: summary.mean,
    limit_min: limits.min,
    limit_max: limits.max,
    ...excursionMembers(summary.inside),
    readings: { ...readings, normalized_sha256: summary.normalizedSha256 },
    custody: {
      from: custody.from,
      to: custody.to,
      covered: summary.covered,
      outside: excursionMembers(summary.outside),
    },
    curve: summary.curve,
    recorded_by: recordedBy,
  };
};

const excursionMembers = ({ count, seconds, listed }: Excursions) => ({
  excursion_count: count,
  excursion_seconds: seconds,
  excursions: listed,
});

const requireName = (member: string, text: string): void => {
  const length = Array.from(text).length;
  if (length < 1 || length > nameMax)
    throw invalid(
      ['device', member],
      `expected 1 to ${nameMax} characters`,
      `${length} characters`,
    );
};
