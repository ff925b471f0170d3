import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findProgram } from '../programs.ts';
import { repository } from './monitoring.ts';

interface Dashboard {
  readonly panels: readonly { targets: readonly { expr: string }[] }[];
}

const promtool = findProgram('promtool');
const dir = mkdtempSync(join(tmpdir(), 'pto-queries-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Has promtool read queries as rules, with what Grafana puts in the place of its variable. */
const check = (queries: readonly string[]): string => {
  const rules = queries.map((expr, n) => ({
    record: `query_${n}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  const file = join(dir, 'queries.yaml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  return execFileSync(promtool!, ['check', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
};

const folder = `${repository}deploy/monitoring/dashboards`;

(promtool ? test : test.skip).each(readdirSync(folder))('%s: promtool reads each query', (name) => {
  const { panels } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Dashboard;
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(check(queries)).toContain(`SUCCESS: ${queries.length} rules found`);
  expect(() => check([`${queries[0]} by`])).toThrow(/parse error/);
});
