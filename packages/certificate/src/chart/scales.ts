/** Computes positions on a chart from times and temperatures. Pure. */
import type { Range } from './ranges.ts';

/** The area of a chart between its axes, in points. */
export const plot = { left: 48, right: 440, top: 14, bottom: 128 };

const ticksMin = 3;

/** Returns the functions from a time to x and from a temperature to y. */
export const scales = (ranges: readonly Range[], values: readonly number[]) => {
  const start = Math.min(...ranges.map(({ from }) => from));
  const end = Math.max(...ranges.map(({ to }) => to));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low) * 0.12 || 1;
  const span = high - low + 2 * margin;
  const x = (at: number) =>
    plot.left + ((at - start) / Math.max(end - start, 1)) * (plot.right - plot.left);
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
