/** One panel of lines, as SVG. */
import { escapeHtml } from '../../packages/certificate/src/html/escape.ts';
import type { Point, Range } from './prometheus.ts';
import { formatValue } from './units.ts';

export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

const height = 200;
const left = 64;
const bottom = 24;
const top = 8;
const right = 10;
const lineCount = 12;
/** Width of `12:00:00`. */
const timeWidth = 50;

/** Returns the class of a line's color; colors repeat after twelve lines. */
export const lineClass = (index: number): string => `line-${index % lineCount}`;

/**
 * Returns the end and the step of an axis from 0 on, with two to five steps of 1, 2 or 5.
 * @param base 1024 where the steps are of units that are powers of 1024.
 */
export const axisOf = (
  largest: number,
  base: 10 | 1024 = 10,
): { readonly end: number; readonly step: number } => {
  if (largest <= 0) return { end: 1, step: 0.5 };
  if (base === 1024 && largest >= 1024) {
    const inner = axisOf(largest / 1024, base);
    return { end: inner.end * 1024, step: inner.step * 1024 };
  }
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= rough * 0.999)!;
  return { end: Math.ceil(largest / step - 1e-9) * step, step };
};

const timeText = (seconds: number, withSeconds: boolean): string =>
  new Date(seconds * 1000).toISOString().slice(11, withSeconds ? 19 : 16);

/** Returns the parts of a line without a missing point between them. */
const parts = (points: readonly Point[], step: number): Point[][] => {
  const found: Point[][] = [];
  for (const [n, point] of points.entries()) {
    const before = points[n - 1];
    if (before && point.time - before.time <= step * 1.5) found.at(-1)!.push(point);
    else found.push([point]);
  }
  return found;
};

/** Returns a chart of the lines over the range, with both axes. */
export const chart = (
  lines: readonly Line[],
  range: Range,
  unit: string,
  width: number,
): string => {
  const largest = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value)));
  const { end, step } = axisOf(largest, unit === 'bytes' ? 1024 : 10);
  const seconds = range.end - range.start;
  const x = (time: number) => left + ((time - range.start) / seconds) * (width - left - right);
  const y = (value: number) => top + (1 - Math.max(0, value) / end) * (height - top - bottom);
  const fixed = (n: number) => n.toFixed(1);
  const values = Array.from({ length: Math.round(end / step) + 1 }, (_, n) => n * step);
  const labels = width / (timeWidth * 1.5) > 5 ? 5 : 3;
  const times = Array.from(
    { length: labels },
    (_, n) => range.start + (seconds * n) / (labels - 1),
  );
  const anchor = (n: number) => (n === 0 ? 'start' : n === times.length - 1 ? 'end' : 'middle');
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img">`,
    ...values.map(
      (value) =>
        `<line class="grid" x1="${left}" x2="${width - right}" y1="${fixed(y(value))}" y2="${fixed(y(value))}"/>` +
        `<text x="${left - 6}" y="${fixed(y(value) + 4)}" text-anchor="end">${formatValue(unit, value)}</text>`,
    ),
    ...times.map(
      (time, n) =>
        `<text x="${fixed(x(time))}" y="${height - 6}" text-anchor="${anchor(n)}">${timeText(time, seconds < 1800)}</text>`,
    ),
    ...lines.flatMap(({ name, points }, n) =>
      parts(points, range.step).map((part) => drawn(part, name, lineClass(n), x, y)),
    ),
    '</svg>',
  ].join('\n');
};

const drawn = (
  part: readonly Point[],
  name: string,
  className: string,
  x: (time: number) => number,
  y: (value: number) => number,
): string => {
  const [first] = part;
  const title = `<title>${escapeHtml(name)}</title>`;
  if (part.length === 1)
    return `<circle class="${className}" cx="${x(first!.time).toFixed(1)}" cy="${y(first!.value).toFixed(1)}" r="2">${title}</circle>`;
  const points = part.map(({ time, value }) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`);
  return `<polyline class="${className}" points="${points.join(' ')}">${title}</polyline>`;
};
