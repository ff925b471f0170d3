import { invalid } from '@pto/errors';
import type { ArtifactReference } from '../domain/order.ts';
import { hasCalibrationExpired, requireCalibrationDate } from './calibration.ts';
import type { Excursion } from './excursions.ts';
import type { ConditionSummary } from './summarize.ts';
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
  readonly excursion_count: number;
  readonly excursion_seconds: number;
  readonly excursions: readonly Excursion[];
  readonly readings: ArtifactReference;
  readonly recorded_by: 'partner' | 'operator';
};

/** The parts of a condition record. */
export interface ConditionRecord {
  readonly device: Device;
  readonly unit: TemperatureUnit;
  readonly limits: Limits;
  readonly summary: ConditionSummary;
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
    excursion_count: summary.excursionCount,
    excursion_seconds: summary.excursionSeconds,
    excursions: summary.excursions,
    readings,
    recorded_by: recordedBy,
  };
};

const requireName = (member: string, text: string): void => {
  const length = Array.from(text).length;
  if (length < 1 || length > nameMax)
    throw invalid(
      ['device', member],
      `expected 1 to ${nameMax} characters`,
      `${length} characters`,
    );
};
