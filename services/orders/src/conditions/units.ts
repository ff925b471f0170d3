/** The unit of a file's readings. */
export type TemperatureUnit = 'celsius' | 'fahrenheit' | 'kelvin';

/** The limits of an order in °C; null: no limit. */
export interface Limits {
  readonly min: number | null;
  readonly max: number | null;
}

/**
 * Returns a value as a whole number of millionths of its unit. Sums and comparisons of whole
 * numbers are exact, and equal in every language.
 */
export const millionths = (value: number): number => Math.round(value * 1e6);

/** Returns a limit in °C as millionths of another unit; null if there is no limit. */
export const limitIn = (unit: TemperatureUnit, celsius: number | null): number | null => {
  if (celsius === null) return null;
  const limit = millionths(celsius);
  if (unit === 'fahrenheit') return Math.round((limit * 9) / 5) + 32_000_000;
  return unit === 'kelvin' ? limit + 273_150_000 : limit;
};
