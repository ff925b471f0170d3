/** One panel of a dashboard, as HTML. */

import { escapeHtml } from '../../packages/certificate/src/html/escape.ts';
import { chart, type Line, lineClass } from './chart.ts';
import type { Panel, ThresholdStep } from './dashboard.ts';
import type { Range } from './prometheus.ts';
import { formatValue } from './units.ts';

/** What the queries of a panel returned. */
export interface PanelData {
  readonly lines: readonly Line[];
  /** One text for each query that failed. */
  readonly errors: readonly string[];
}

const columnWidth = 44;

/** Returns the color of the last threshold that the value reaches. */
export const colorOf = (
  steps: readonly ThresholdStep[] | undefined,
  value: number,
): ThresholdStep['color'] | 'none' =>
  steps?.findLast(({ value: from }) => from === null || value >= from)?.color ?? 'none';

/** Returns the description, in which Grafana reads Markdown, with its names in backticks as code. */
const descriptionHtml = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const stat = ({ fieldConfig: { defaults } }: Panel, lines: readonly Line[]): string => {
  const { unit, decimals, thresholds } = defaults;
  const sorted = lines.toSorted((one, other) => one.name.localeCompare(other.name));
  const values = sorted.map(({ name, points }) => {
    const { value } = points.at(-1)!;
    const label = lines.length > 1 ? `<span>${escapeHtml(name)}</span>` : '';
    return `<div class="value ${colorOf(thresholds?.steps, value)}">${label}<b>${formatValue(unit, value, decimals)}</b></div>`;
  });
  return `<div class="values">${values.join('')}</div>`;
};

/** Returns the names of the lines with their largest and last values, the largest first. */
const legend = (lines: readonly Line[], unit: string): string => {
  const described = lines.map(({ name, points }, n) => ({
    ...{ name, n, max: Math.max(...points.map(({ value }) => value)) },
    last: points.at(-1)!.value,
  }));
  described.sort((one, other) => other.max - one.max);
  const rows = described.map(({ name, n, max, last }) => {
    return `<tr><td><i class="${lineClass(n)}"></i>${escapeHtml(name)}</td><td>${formatValue(unit, max)}</td><td>${formatValue(unit, last)}</td></tr>`;
  });
  return `<div class="legend"><table><thead><tr><th></th><th>max</th><th>last</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
};

/** Returns a panel with its values, or with the reason why it has none. */
export const drawPanel = (panel: Panel, { lines, errors }: PanelData, range: Range): string => {
  const { type, title, description, gridPos, fieldConfig } = panel;
  const { unit } = fieldConfig.defaults;
  const shown = lines.filter(({ points }) => points.length > 0);
  const { x, y, w, h } = gridPos;
  const place = `grid-column: ${x + 1} / span ${w}; grid-row: ${y + 1} / span ${h}`;
  return [
    `<section id="panel-${panel.id}" class="${type}" style="${place}">`,
    `<h2>${escapeHtml(title)}</h2>`,
    description === '' ? '' : `<p>${descriptionHtml(description)}</p>`,
    ...errors.map((text) => `<p class="error">Query failed: ${escapeHtml(text)}</p>`),
    shown.length === 0 && errors.length === 0
      ? '<p class="empty">No data: no series in this time</p>'
      : '',
    shown.length > 0 && type === 'stat' ? stat(panel, shown) : '',
    ...(shown.length > 0 && type === 'timeseries'
      ? [chart(shown, range, unit, w * columnWidth), legend(shown, unit)]
      : []),
    '</section>',
  ].join('\n');
};
