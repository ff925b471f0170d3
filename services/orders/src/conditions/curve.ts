import type { Curve } from '@pto/proto/payloads';
import type { Reading } from './reading.ts';

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
