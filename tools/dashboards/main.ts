/**
 * Draws the dashboards of `deploy/monitoring` without Grafana, from a Prometheus:
 * `npm run dashboards -- PROMETHEUS_URL FOLDER [--hours N] [--namespace REGEX] [--scrape SECONDS]`.
 * Prints the panels without data. Ends with 1 if a query failed.
 */
import { parseArgs } from 'node:util';
import { drawDashboards } from './draw.ts';

const usage =
  'npm run dashboards -- PROMETHEUS_URL FOLDER [--hours 6] [--namespace REGEX] [--scrape SECONDS]';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hours: { type: 'string', default: '6' },
    namespace: { type: 'string', default: '.*' },
    scrape: { type: 'string', default: '15' },
  },
});
const [prometheusUrl = '', folder] = positionals;
const [hours, scrapeSeconds] = [Number(values.hours), Number(values.scrape)];

if (!URL.canParse(prometheusUrl) || folder === undefined || !(hours > 0) || !(scrapeSeconds > 0)) {
  process.stderr.write(`usage: ${usage}\n`);
  process.exitCode = 2;
} else {
  const panels = await drawDashboards({
    prometheusUrl,
    folder,
    seconds: hours * 3600,
    end: Date.now() / 1000,
    namespace: values.namespace,
    scrapeSeconds,
  });
  for (const { dashboard, title, lines, errors } of panels) {
    for (const error of errors) process.stderr.write(`${dashboard}, ${title}: ${error}\n`);
    if (lines === 0 && errors.length === 0)
      process.stdout.write(`${dashboard}, ${title}: no data\n`);
  }
  process.stdout.write(`${folder}: ${panels.length} panels\n`);
  process.exitCode = panels.some(({ errors }) => errors.length > 0) ? 1 : 0;
}
