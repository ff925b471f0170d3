import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findProgram } from '../programs.ts';
import { environments, manifests, render } from '../rendered.ts';
import { yamlOf } from './monitoring.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const path = yamlOf('rules').find((name) => name.endsWith('cluster.yaml'))!;
const { groups } = parse(readFileSync(path, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
/** The names in the pattern of an alert. */
const watched = (alert: string): string[] => {
  const { expr } = rules.find((rule) => rule.alert === alert)!;
  return /(?:deployment|container)=~"([\w|]+)"/.exec(expr)![1]!.split('|').sort();
};

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(['ReplicasMissing', 'RolloutStalled', 'ContainerCrashLoops'])('%s', (alert) => {
    const deployments = environments
      .flatMap((environment) => manifests(render(environment)))
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata }) => metadata.name);
    expect(watched(alert)).toEqual([...new Set(deployments)].sort());
  });
});
