import { invalid } from '@pto/errors';
import type {
  ArtifactReference,
  ConditionPayload,
  Custody,
  TemperatureUnit,
} from '@pto/proto/payloads';
import { hasCalibrationExpired, requireCalibrationDate } from './calibration.ts';
import type { ConditionSummary, Excursions } from './summarize.ts';
import type { Limits } from './units.ts';

/** The logger that took the readings. */
export interface Device {
  /** 1 to 128 characters. */
  readonly id: string;
  /** Names the calibration certificate, 1 to 128 characters; null if unknown. */
  readonly calibrationReference: string | null;
  /** `YYYY-MM-DD`; null if unknown. */
  readonly calibrationDate: string | null;
}

/** The parts of a condition record. */
export interface ConditionRecord {
  readonly device: Device;
  readonly unit: TemperatureUnit;
  readonly limits: Limits;
  readonly summary: ConditionSummary;
  readonly custody: Custody;
  readonly readings: ArtifactReference;
  /** Who sent the readings. */
  readonly recordedBy: 'partner' | 'operator' | 'driver';
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
