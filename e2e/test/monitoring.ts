/** What `deploy/monitoring` asks of Prometheus, and the series that a local stack gives. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { freePort } from '@pto/testing';
import { parse } from 'yaml';

const monitoringDir = new URL('../../deploy/monitoring/', import.meta.url).pathname;

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
}

interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

interface Dashboard {
  readonly panels: readonly { title: string; targets: readonly { expr: string }[] }[];
}

/** One selector of an expression, with every label that it or a grouping around it names. */
export interface Selected {
  /** The rule or panel. */
  readonly where: string;
  readonly metric: string;
  readonly labels: readonly string[];
  readonly matchers: readonly { label: string; op: string; value: string }[];
}

const filesOf = (folder: string): string[] =>
  readdirSync(`${monitoringDir}${folder}`).map((name) => `${monitoringDir}${folder}/${name}`);

const ruleGroups = (): RuleGroup[] =>
  filesOf('rules').flatMap(
    (file) => (parse(readFileSync(file, 'utf8')) as { groups: RuleGroup[] }).groups,
  );

const rules = (): Rule[] => ruleGroups().flatMap((group) => group.rules);

/** The series that rules make. */
export const recorded = (): string[] => rules().flatMap(({ record }) => record ?? []);

export const selected = (): Selected[] => [
  ...rules().flatMap((rule) => selectorsOf(rule.expr, rule.alert ?? rule.record ?? '')),
  ...filesOf('dashboards').flatMap((file) =>
    (JSON.parse(readFileSync(file, 'utf8')) as Dashboard).panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr }) => selectorsOf(expr, `panel ${title}`)),
    ),
  ),
];

const selectorsOf = (expr: string, where: string): Selected[] => {
  const query = expr.replaceAll('$__rate_interval', '5m');
  const text = (node: { from: number; to: number }) => query.slice(node.from, node.to);
  const found: Selected[] = [];
  parser.parse(query).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`${where}: not PromQL: ${expr}`);
      if (node.name !== 'VectorSelector') return;
      const matchers = node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher');
      const matched = (matchers ?? []).map((matcher) => ({
        label: text(matcher.getChild('LabelName')!),
        op: text(matcher.getChild('MatchOp')!),
        value: text(matcher.getChild('StringLiteral')!).slice(1, -1),
      }));
      const grouped: string[] = [];
      for (let above = node.node.parent; above; above = above.parent)
        for (const labels of above.getChild('AggregateModifier')?.getChildren('GroupingLabels') ??
          [])
          grouped.push(...labels.getChildren('LabelName').map(text));
      found.push({
        where,
        metric: text(node.node.getChild('Identifier')!),
        labels: [...matched.map(({ label }) => label), ...grouped],
        matchers: matched,
      });
    },
  });
  if (found.length === 0) throw new Error(`${where}: selects nothing: ${expr}`);
  return found;
};

/** A series' labels; its name is `__name__`. */
export type Series = Readonly<Record<string, string>>;

/** Scrapes every process each second, and evaluates the rules as often; undefined if not installed. */
export const startPrometheus = async (metricsUrls: readonly string[]) => {
  if (spawnSync('prometheus', ['--version']).error) return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'pto-prometheus-'));
  const port = await freePort();
  const targets = metricsUrls.map((url) => new URL(url).host);
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(dir, 'rules.yaml')],
    scrape_configs: [{ job_name: 'local-stack', static_configs: [{ targets }] }],
  };
  writeFileSync(join(dir, 'prometheus.yaml'), JSON.stringify(config));
  // each second, whatever they ask for: nobody waits five minutes here
  const groups = ruleGroups().map(({ name, rules }) => ({ name, rules }));
  writeFileSync(join(dir, 'rules.yaml'), JSON.stringify({ groups }));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(dir, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    return ((await answer.json()) as { data: T }).data;
  };
  return {
    /** Rejects while it is not up yet. */
    series: () => ask<Series[]>(`series?match[]=${encodeURIComponent('{__name__!=""}')}`),
    /** The rules that could not be evaluated, with why. */
    unhealthy: async () => {
      const { groups } = await ask<{ groups: { rules: Judged[] }[] }>('rules');
      const rules = groups.flatMap((group) => group.rules);
      return rules
        .filter(({ health }) => health !== 'ok')
        .map(({ name, health, lastError }) => `${name}: ${health} ${lastError ?? ''}`);
    },
    /** The alerts that are pending or firing now. */
    alerts: async () =>
      (await ask<{ alerts: Active[] }>('alerts')).alerts.map(({ labels }) =>
        JSON.stringify(labels),
      ),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

export type Prometheus = NonNullable<Awaited<ReturnType<typeof startPrometheus>>>;

interface Active {
  readonly labels: Series;
}

interface Judged {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

/** What every process exposes now. */
export const exposed = async (metricsUrls: readonly string[]): Promise<Series[]> => {
  const pages = metricsUrls.map(async (url) => (await fetch(url)).text());
  return (await Promise.all(pages)).flatMap((page) =>
    page.split('\n').flatMap((line) => {
      const [, name, labels] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /.exec(line) ?? [];
      if (name === undefined) return [];
      const pairs = (labels ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
      return [{ __name__: name, ...Object.fromEntries([...pairs].map(([, k, v]) => [k, v])) }];
    }),
  );
};
