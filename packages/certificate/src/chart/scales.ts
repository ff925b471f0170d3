/** Computes positions on a chart from times and temperatures. Pure. */
import type { Range } from './ranges.ts';

/** The area of a chart between its axes, in points. */
export const plot = { left: 48, right: 440, top: 14, bottom: 128 };

const ticksMin = 3;

/** The shown times, in milliseconds since the epoch. */
export type Span = Pick<Range, 'from' | 'to'>;

/**
 * Returns the times that a chart shows: the ranges and the custody, and as much beside the custody as
 * it is long, and at least an hour: a wrong clock does not make it a line.
 */
export const shownSpan = (ranges: readonly Range[], custody: Partial<Span>): Span => {
  const { from: begin, to: end } = custody;
  const from = Math.min(...ranges.map((range) => range.from), begin ?? Infinity);
  const to = Math.max(...ranges.map((range) => range.to), end ?? -Infinity);
  if (begin === undefined) return { from, to };
  const beside = Math.max((end ?? to) - begin, hour);
  const last = end === undefined ? to : Math.min(to, end + beside);
  return { from: Math.max(from, begin - beside), to: Math.max(last, begin) };
};

const hour = 3_600_000;

/** Returns the functions from a time to x and from a temperature to y. */
export const scales = ({ from: start, to: end }: Span, values: readonly number[]) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low) * 0.12 || 1;
  const span = high - low + 2 * margin;
  const x = (at: number) => {
    const part = (at - start) / Math.max(end - start, 1);
    return round(plot.left + Math.min(Math.max(part, 0), 1) * (plot.right - plot.left));
  };
  const y = (value: number) =>
    round(plot.bottom - ((value - low + margin) / span) * (plot.bottom - plot.top));
  return [x, y] as const;
};

/** Returns 3 to 7 round values between the bounds; the one value if the bounds are equal. */
export const ticksOf = (low: number, high: number): number[] => {
  if (low === high) return [low];
  const power = 10 ** Math.floor(Math.log10((high - low) / ticksMin));
  const step = [5, 2, 1].map((n) => n * power).find((n) => (high - low) / n >= ticksMin) ?? power;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, n) => round((first + n) * step));
};

/** Returns a length with 2 decimals. */
export const round = (value: number): number => Math.round(value * 100) / 100;
