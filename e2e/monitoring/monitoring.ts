/** What `deploy/monitoring` asks of Prometheus: rules, dashboards, and the series they select. */
import { readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
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

export const ruleGroups = (): RuleGroup[] =>
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
