import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { alerts, repository } from './monitoring.ts';

const folder = 'docs/operators/runbooks';

test('each alert names its page, and each page has its alert', () => {
  const urls = alerts().map(({ alert, annotations }) => [alert, annotations.runbook_url]);
  expect(urls.length).toBeGreaterThan(20);
  for (const [alert, url] of urls) expect(url).toBe(`${folder}/${alert}.md`);
  const pages = readdirSync(`${repository}${folder}`).map((name) => `${folder}/${name}`);
  expect(new Set(pages)).toEqual(new Set(urls.map(([, url]) => url)));
});

test.each([...new Set(alerts().map(({ alert }) => alert))])(
  'the page of %s says what it means, what to look at, what to do',
  (alert) => {
    const page = readFileSync(`${repository}${folder}/${alert}.md`, 'utf8');
    expect(page.split('\n')[0]).toBe(`# ${alert}`);
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['What it means', 'What to look at', 'What to do']);
    for (const part of page.split(/^## .*$/m).slice(1))
      expect(part.trim().length).toBeGreaterThan(60);
  },
);

test.each(alerts())('$alert says whom it calls and what for', ({ labels, annotations }) => {
  expect(['page', 'ticket']).toContain(labels.severity);
  expect(annotations.summary).not.toBe('');
});

test('dashboards keep their names and the index of pages names every alert', () => {
  for (const name of readdirSync(`${repository}deploy/monitoring/dashboards`)) {
    const file = readFileSync(`${repository}deploy/monitoring/dashboards/${name}`, 'utf8');
    expect(`${JSON.parse(file).uid}.json`).toBe(`pto-${name}`);
  }
  const index = readFileSync(`${repository}docs/operators/README.md`, 'utf8');
  for (const { alert } of alerts()) expect(index).toContain(`(runbooks/${alert}.md)`);
});
