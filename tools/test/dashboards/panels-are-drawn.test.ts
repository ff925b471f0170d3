import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readDashboards } from '../../dashboards/dashboard.ts';
import { drawDashboards } from '../../dashboards/draw.ts';
import { hasPrometheus, hourEnd, startBackfilled } from './backfilled-prometheus.ts';

const folder = mkdtempSync(join(tmpdir(), 'pto-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const panels = readDashboards().flatMap(({ title, panels }) =>
  panels.map((panel) => ({ dashboard: title, panel: panel.title, kind: panel.type })),
);
const pages = () =>
  readDashboards().map(({ name }) => readFileSync(join(folder, `${name}.html`), 'utf8'));

(hasPrometheus ? describe : describe.skip)('with Prometheus', () => {
  let prometheus: Awaited<ReturnType<typeof startBackfilled>>;
  beforeAll(async () => {
    prometheus = await startBackfilled();
  });
  afterAll(() => prometheus.stop());

  const draw = (end: number) =>
    drawDashboards({ prometheusUrl: prometheus.url, folder, seconds: 1800, end });

  test('each panel of each dashboard draws what its queries select', async () => {
    const drawn = await draw(hourEnd);
    expect(drawn.map(({ title }) => title)).toEqual(panels.map(({ panel }) => panel));
    expect(drawn.filter(({ lines, errors }) => lines === 0 || errors.length > 0)).toEqual([]);
    const html = pages().join('\n');
    expect(html.match(/<svg /g)).toHaveLength(
      panels.filter(({ kind }) => kind === 'timeseries').length,
    );
    expect(html.match(/class="values"/g)).toHaveLength(
      panels.filter(({ kind }) => kind === 'stat').length,
    );
    expect(html).not.toContain('class="empty"');
  });

  test('a panel of the present value shows none of a series that has ended', async () => {
    const drawn = await draw(hourEnd + 900); // the range has its points, the end has none
    const lines = (kind: string) =>
      drawn.filter((_, n) => panels[n]!.kind === kind).map((panel) => panel.lines);
    expect(new Set(lines('stat'))).toEqual(new Set([0]));
    expect(lines('timeseries')).not.toContain(0);
  });

  test('a panel without data says so in words', async () => {
    const drawn = await draw(hourEnd + 86_400);
    expect(drawn.filter(({ lines }) => lines > 0)).toEqual([]);
    expect(
      pages()
        .join('\n')
        .match(/No data: no series in this time/g),
    ).toHaveLength(panels.length);
  });
});

/** A Prometheus that responds to each query with this body. */
const responding = async (status: number, body: object, work: (url: string) => Promise<void>) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
};

test('a query that fails is shown in its panel with the reason', () =>
  responding(422, { status: 'error', error: 'too many samples' }, async (prometheusUrl) => {
    const drawn = await drawDashboards({ prometheusUrl, folder, seconds: 600, end: hourEnd });
    expect(new Set(drawn.flatMap(({ errors }) => errors))).toEqual(new Set(['too many samples']));
    expect(pages()[0]).toContain('Query failed: too many samples');
  }));

test('a label cannot put elements into the page', async () => {
  const hostile = '<script>alert(1)</script>"\'&';
  const labels = ['method', 'route', 'service', 'status', 'topic', 'group', 'outcome', 'state'];
  const metric = Object.fromEntries(labels.map((label) => [label, hostile]));
  const data = { resultType: 'matrix', result: [{ metric, values: [[hourEnd, '1']] }] };
  await responding(200, { status: 'success', data }, async (prometheusUrl) => {
    await drawDashboards({ prometheusUrl, folder, seconds: 600, end: hourEnd });
    const html = pages().join('\n');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
    expect(html).not.toContain('<script');
  });
});
