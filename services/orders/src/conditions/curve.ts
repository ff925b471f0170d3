import type { Reading } from './reading.ts';

/**
 * The course of readings, for a chart: the lowest and the highest value of each of up to 100 equal
 * spans from the first reading to the last, with 2 decimals; null for a span without a reading. It
 * stays in the entry when the file is no longer retained.
 */
export interface Curve {
  readonly minimum: readonly (number | null)[];
  readonly maximum: readonly (number | null)[];
}

const spansMax = 100;

/** @param readings at least 1, oldest first. */
export const curveOf = (readings: readonly Reading[]): Curve => {
  const times = readings.map(({ at }) => Date.parse(at));
  const [start, end] = [times[0]!, times.at(-1)!];
  const spans = Math.min(spansMax, readings.length);
  const minimum = Array<number | null>(spans).fill(null);
  const maximum = Array<number | null>(spans).fill(null);
  readings.forEach(({ value }, n) => {
    const passed = (times[n]! - start) / Math.max(end - start, 1);
    const span = Math.min(Math.floor(passed * spans), spans - 1);
    minimum[span] = Math.min(minimum[span] ?? value, value);
    maximum[span] = Math.max(maximum[span] ?? value, value);
  });
  return { minimum: minimum.map(rounded), maximum: maximum.map(rounded) };
};

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100 + 0;
