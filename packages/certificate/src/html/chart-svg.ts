import type { Chart, Shape } from '../chart/chart.ts';
import { palette } from '../palette.ts';
import { escapeHtml } from './escape.ts';

/** Returns a chart as inline SVG. */
export const chartSvg = ({ width, height, shapes }: Chart, name: string): string =>
  `<svg class="chart" role="img" aria-label="${escapeHtml(name)}" viewBox="0 0 ${width} ${height}">${shapes.map(shapeSvg).join('')}</svg>`;

const lines = {
  grid: `stroke="${palette.line}" stroke-width="0.5"`,
  axis: `stroke="${palette.quiet}" stroke-width="0.8"`,
  custody: `stroke="${palette.quiet}" stroke-width="0.8" stroke-dasharray="4 3"`,
  limit: `stroke="${palette.limit}" stroke-width="1" stroke-dasharray="4 3"`,
};
const texts = {
  label: palette.quiet,
  limit: palette.limit,
  excursion: palette.excursion,
};

const shapeSvg = (shape: Shape): string => {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height, role } = shape;
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${palette[role]}"/>`;
    }
    case 'line': {
      const { x1, y1, x2, y2, role } = shape;
      return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${lines[role]}/>`;
    }
    case 'curve':
      return `<polyline points="${shape.points.map(([x, y]) => `${x},${y}`).join(' ')}" fill="none" stroke="${palette.curve}"/>`;
    case 'text': {
      const { x, y, anchor, role, text } = shape;
      return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${texts[role]}">${escapeHtml(text)}</text>`;
    }
  }
};
