import type { Entry } from './entries.ts';
import { listOf, membersOf, numberOf, textOf } from './members.ts';

export type TemperatureUnit = 'celsius' | 'fahrenheit' | 'kelvin';

/** An entry `CONDITION_RECORDED`. Values are in the unit of the readings, limits in °C. */
export interface ConditionRecord {
  /** Number of the entry. */
  readonly entry: number;
  readonly device: string;
  readonly calibrationReference: string;
  /** `YYYY-MM-DD`; empty if the entry states none. */
  readonly calibrationDate: string;
  readonly calibrationExpired: boolean;
  readonly unit: TemperatureUnit;
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** The longest time between two readings; null if the entry states none. */
  readonly gapSeconds: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly mean: number | null;
  readonly limitMin: number | null;
  readonly limitMax: number | null;
  /** Number of all excursions; `excursions` may have fewer. */
  readonly excursionCount: number;
  readonly excursionSeconds: number;
  readonly excursions: readonly Excursion[];
  readonly readingsHash: string;
  readonly recordedBy: string;
}

export interface Excursion {
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly limit: string;
  readonly extreme: number | null;
}

/** Returns the entries with recorded temperatures. */
export const recordsOfHistory = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ internalType }) => internalType === 'CONDITION_RECORDED');

/** Returns what an entry `CONDITION_RECORDED` states. */
export const conditionOf = ({ number, payload }: Entry): ConditionRecord => ({
  entry: number,
  device: textOf(payload.device_id),
  calibrationReference: textOf(payload.calibration_reference),
  calibrationDate: textOf(payload.calibration_date),
  calibrationExpired: payload.calibration_expired === true,
  unit: unitOf(payload.unit),
  from: textOf(payload.from),
  to: textOf(payload.to),
  count: numberOf(payload.count) ?? 0,
  gapSeconds: numberOf(payload.interval_seconds),
  minimum: numberOf(payload.minimum),
  maximum: numberOf(payload.maximum),
  mean: numberOf(payload.mean),
  limitMin: numberOf(payload.limit_min),
  limitMax: numberOf(payload.limit_max),
  excursionCount: numberOf(payload.excursion_count) ?? 0,
  excursionSeconds: numberOf(payload.excursion_seconds) ?? 0,
  excursions: listOf(payload.excursions).map((value) => {
    const { from, to, seconds, limit, extreme } = membersOf(value);
    return {
      from: textOf(from),
      to: textOf(to),
      seconds: numberOf(seconds) ?? 0,
      limit: textOf(limit),
      extreme: numberOf(extreme),
    };
  }),
  readingsHash: textOf(membersOf(payload.readings).sha256),
  recordedBy: textOf(payload.recorded_by),
});

/** Returns the unit of readings; an unknown unit counts as °C. */
export const unitOf = (unit: unknown): TemperatureUnit =>
  unit === 'fahrenheit' || unit === 'kelvin' ? unit : 'celsius';

/** Returns a temperature in °C with at most 2 decimals. */
export const toCelsius = (value: number, unit: TemperatureUnit): number => {
  const exact = { celsius: value, fahrenheit: (value - 32) / 1.8, kelvin: value - 273.15 }[unit];
  return Math.round(exact * 100) / 100;
};
