import { custodyOf, excursionsIn } from './custody.ts';
import type { Entry } from './entries.ts';
import { listOf, type Members, membersOf, numberOf, textOf } from './members.ts';

export type TemperatureUnit = 'celsius' | 'fahrenheit' | 'kelvin';

/** An entry `CONDITION_RECORDED`. Values are in the unit of the readings, limits in °C. */
export type ConditionRecord = ReturnType<typeof conditionOf>;

/** Returns the entries with recorded temperatures. */
export const recordsOfHistory = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ internalType }) => internalType === 'CONDITION_RECORDED');

/** Returns what an entry `CONDITION_RECORDED` states. */
export const conditionOf = ({ number, payload }: Entry) => ({
  /** Number of the entry. */
  entry: number,
  device: textOf(payload.device_id),
  calibrationReference: textOf(payload.calibration_reference),
  /** `YYYY-MM-DD`; empty if the entry states none. */
  calibrationDate: textOf(payload.calibration_date),
  calibrationExpired: payload.calibration_expired === true,
  unit: unitOf(payload.unit),
  from: textOf(payload.from),
  to: textOf(payload.to),
  count: numberOf(payload.count) ?? 0,
  /** The longest time between two readings; null if the entry states none. */
  gapSeconds: numberOf(payload.interval_seconds),
  minimum: numberOf(payload.minimum),
  maximum: numberOf(payload.maximum),
  mean: numberOf(payload.mean),
  limitMin: numberOf(payload.limit_min),
  limitMax: numberOf(payload.limit_max),
  /** Those within the custody. */
  excursions: excursionsIn(payload),
  custody: custodyOf(payload.custody),
  curve: curveOf(membersOf(payload.curve)),
  readingsHash: textOf(membersOf(payload.readings).sha256),
  recordedBy: textOf(payload.recorded_by),
});

const spansMax = 100;

/** Returns the lowest and the highest value of equal spans; empty if the entry states none. */
const curveOf = ({
  minimum,
  maximum,
}: Members): readonly (readonly [low: number, high: number] | null)[] => {
  const [lows, highs] = [listOf(minimum), listOf(maximum)];
  return lows.slice(0, spansMax).map((value, n) => {
    const [low, high] = [numberOf(value), numberOf(highs[n])];
    return low === null || high === null ? null : [low, high];
  });
};

/** Returns the unit of readings; an unknown unit counts as °C. */
export const unitOf = (unit: unknown): TemperatureUnit =>
  unit === 'fahrenheit' || unit === 'kelvin' ? unit : 'celsius';

/** Returns a temperature in °C with at most 2 decimals. */
export const toCelsius = (value: number, unit: TemperatureUnit): number => {
  const exact = { celsius: value, fahrenheit: (value - 32) / 1.8, kelvin: value - 273.15 }[unit];
  return Math.round(exact * 100) / 100;
};
