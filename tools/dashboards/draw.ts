/** Dashboards as pages of HTML, drawn from what a Prometheus returns to their own queries. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../../packages/certificate/src/html/escape.ts';
import { type Dashboard, nameOf, type Panel, queryOf, readDashboards } from './dashboard.ts';
import { drawPanel, type PanelData } from './panel.ts';
import { queryAt, queryRange, type Range } from './prometheus.ts';

export interface DrawOptions {
  readonly prometheusUrl: string;
  /** Folder for the pages; made if it is missing. */
  readonly folder: string;
  /** The time that the pages show, up to `end`. */
  readonly seconds: number;
  /** Seconds since 1970. */
  readonly end: number;
  readonly namespace?: string;
  readonly scrapeSeconds?: number;
}

/** What became of one panel. */
export interface DrawnPanel {
  readonly dashboard: string;
  readonly title: string;
  /** Number of lines with at least one point. */
  readonly lines: number;
  readonly errors: readonly string[];
}

/** Points of a line, at most. */
const points = 240;

const style = ['../../site/assets/style/colors.css', './page.css']
  .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('\n');

/**
 * Draws each dashboard into `FOLDER/NAME.html`, a page without links to other files. A query that
 * fails is shown in its panel.
 * @returns all panels, so that the caller can report those without data.
 */
export const drawDashboards = async (options: DrawOptions): Promise<DrawnPanel[]> => {
  const { folder, seconds, end, scrapeSeconds = 15 } = options;
  const step = Math.max(scrapeSeconds, Math.ceil(seconds / points));
  // whole steps, so that each point stays the same from one drawing to the next
  const last = Math.floor(end / step) * step;
  const range = { start: last - Math.ceil(seconds / step) * step, end: last, step };
  mkdirSync(folder, { recursive: true });
  const drawn: DrawnPanel[] = [];
  for (const dashboard of readDashboards()) {
    const sections: string[] = [];
    for (const panel of dashboard.panels) {
      const data = await dataOf(panel, range, options);
      sections.push(drawPanel(panel, data, range));
      drawn.push({
        dashboard: dashboard.title,
        title: panel.title,
        lines: data.lines.filter((line) => line.points.length > 0).length,
        errors: data.errors,
      });
    }
    writeFileSync(join(folder, `${dashboard.name}.html`), page(dashboard, sections, range));
  }
  return drawn;
};

const dataOf = async (
  { targets }: Panel,
  range: Range,
  { prometheusUrl, namespace = '.*', scrapeSeconds = 15 }: DrawOptions,
): Promise<PanelData> => {
  const lines: PanelData['lines'][number][] = [];
  const errors: string[] = [];
  const variables = { namespace, stepSeconds: range.step, scrapeSeconds };
  for (const { expr, legendFormat, instant } of targets)
    try {
      const query = queryOf(expr, variables);
      const found = instant
        ? await queryAt(prometheusUrl, query, range.end)
        : await queryRange(prometheusUrl, query, range);
      for (const { labels, points } of found)
        lines.push({ name: nameOf(legendFormat, labels), points });
    } catch (error) {
      errors.push((error as Error).message);
    }
  return { lines, errors };
};

const timeText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const page = ({ title, description }: Dashboard, sections: readonly string[], range: Range) =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
${style}
</style>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(description)}. ${timeText(range.start)} to ${timeText(range.end)}</p>
</header>
<main>
${sections.join('\n')}
</main>
</html>
`;
