import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findProgram } from '../programs.ts';
import { type Manifest, manifests, render } from '../rendered.ts';
import { yamlOf } from './monitoring.ts';

interface Rules {
  groups: { name: string; rules: { expr: string }[] }[];
}

const dir = mkdtempSync(join(tmpdir(), 'pto-rules-'));
afterAll(() => rmSync(dir, { recursive: true }));
const promtool = (...words: string[]): string =>
  execFileSync(findProgram('promtool')!, words, { encoding: 'utf8', stdio: 'pipe', cwd: dir });

const rendered = (more: readonly string[] = []): readonly Manifest[] =>
  manifests(render('production', more));
const rulesOf = (all: readonly Manifest[]): Rules[] =>
  all.filter(({ kind }) => kind === 'PrometheusRule').map(({ spec }) => spec);
/** All of them as one expression: promtool runs once. */
const joined = (rules: readonly Rules[]): string =>
  rules
    .flatMap(({ groups }) => groups)
    .flatMap(({ name, rules: own }) => own.map((one) => ({ group: name, ...one })))
    .sort((one, other) => one.group.localeCompare(other.group))
    .map(({ expr }) => `(${expr})`)
    .join(' or ');
/** As promtool prints it, with each selector's matchers in their alphabet's order. */
const ordered = (printed: string): string =>
  printed.replace(
    /\{([^}]*)\}/g,
    (_, matchers) =>
      `{${matchers
        .split(/,\s*(?=\w+[=!])/)
        .sort()
        .join(',')}}`,
  );

const having = findProgram('helm') && findProgram('promtool') ? describe : describe.skip;

having('with Helm and promtool', () => {
  test('every selector has its namespace, and nothing else is changed', () => {
    const files = joined(yamlOf('rules').map((path) => parse(readFileSync(path, 'utf8'))));
    const promql = ['--experimental', 'promql'];
    const wanted = promtool(...promql, 'label-matchers', 'set', files, 'namespace', 'partner-api');
    const found = promtool(...promql, 'format', joined(rulesOf(rendered())));
    expect(wanted.match(/namespace="partner-api"/g)!.length).toBeGreaterThan(50);
    expect(ordered(found)).toBe(ordered(wanted));
  });

  test('the auditor of another environment does not stand for ours; what others do is theirs', () => {
    const names = rulesOf(rendered()).map((rules, n) => {
      writeFileSync(join(dir, `${n}.yaml`), JSON.stringify(rules));
      return `${n}.yaml`;
    });
    expect(promtool('check', 'rules', ...names)).toMatch(/SUCCESS/);
    const started = (namespace: string, service: string, values = '0x60') => ({
      series: `process_start_time_seconds{namespace="${namespace}",service="${service}"}`,
      values,
    });
    const ours = ['gateway', 'operators', 'orders', 'custody', 'webhooks'].map((name) =>
      started('partner-api', name),
    );
    const alert = (alertname: string, alerts: object[]) => ({
      eval_time: '30m',
      alertname,
      exp_alerts: alerts,
    });
    const absent = {
      exp_labels: { severity: 'page', namespace: 'partner-api', service: 'auditor' },
      exp_annotations: {
        summary: 'No process of auditor is seen',
        runbook_url: 'docs/operators/runbooks/ServiceAbsent.md',
      },
    };
    const cases = {
      rule_files: names,
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: [
            ...ours,
            started('sandbox', 'auditor'),
            started('another-team', 'shop', '0+60x60'),
          ],
          alert_rule_test: [alert('ServiceAbsent', [absent]), alert('ProcessRestarts', [])],
        },
      ],
    };
    writeFileSync(join(dir, 'test.yaml'), JSON.stringify(cases));
    expect(promtool('test', 'rules', 'test.yaml')).toMatch(/SUCCESS/);
  });
});

(findProgram('helm') ? test : test.skip)('a site says by which labels they are found', () => {
  const labels = [
    ...['--set', 'global.monitoring.labels.release=kube-prometheus-stack'],
    ...['--set', 'global.monitoring.dashboardLabels.team=transports'],
  ];
  const found = rendered(labels).flatMap(({ kind, metadata: { labels: own } }) =>
    ['ServiceMonitor', 'PrometheusRule', 'ConfigMap'].includes(kind)
      ? [`${kind} ${own?.release} ${own?.team} ${own?.grafana_dashboard}`]
      : [],
  );
  expect([...new Set(found)].sort()).toEqual([
    'ConfigMap undefined transports 1',
    'PrometheusRule kube-prometheus-stack undefined undefined',
    'ServiceMonitor kube-prometheus-stack undefined undefined',
  ]);
});
