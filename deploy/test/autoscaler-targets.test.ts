import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { repository } from './monitoring/monitoring.ts';
import { findProgram } from './programs.ts';
import { type Manifest, manifests, podTemplates, render } from './rendered.ts';
import { renderedBeside } from './rendered-beside.ts';

const withHelm = findProgram('helm') ? test : test.skip;

const settingOf = ({ spec }: Manifest, name: string): string | undefined =>
  spec.template.spec.containers[0].env.find((one: { name: string }) => one.name === name)?.value;

const largest = (all: readonly Manifest[], { metadata, spec }: Manifest): number =>
  all.find(
    ({ kind, metadata: { name } }) => kind === 'HorizontalPodAutoscaler' && name === metadata.name,
  )?.spec.maxReplicas ?? spec.replicas;

withHelm('the largest number of production fits the connections that the page asks for', () => {
  const page = readFileSync(`${repository}docs/operators/install.md`, 'utf8');
  const asked = Number(/`max_connections` of (\d+)/.exec(page)![1]);
  const all = manifests(render('production'));
  const withDatabase = podTemplates(all).filter(({ kind }) => kind === 'Deployment');
  const connections = withDatabase.map((pod) => {
    const ofRollout = pod.spec.strategy.type === 'RollingUpdate' ? 1 : 0;
    const ofOne = Number(settingOf(pod, 'DATABASE_POOL_MAX') ?? 10) + 3;
    return (largest(all, pod) + ofRollout) * ofOne;
  });
  const sum = connections.reduce((total, n) => total + n);
  // Postgres keeps 3 for its superusers
  expect(sum + 3).toBeLessThan(asked);
  const [scale, values] = [
    'docs/operators/scale-retention.md',
    'deploy/helm/environments/production.yaml',
  ].map((path) => readFileSync(`${repository}${path}`, 'utf8'));
  expect(scale).toContain(`Production's is ${sum}: `);
  expect(values).toContain(`operators pods: ${sum}, and 3 that PostgreSQL keeps`);
  for (const pod of withDatabase.filter((one) => largest(all, one) > (one.spec.replicas ?? 1)))
    expect([
      pod.metadata.name,
      pod.spec.template.spec.containers[0].resources.requests.cpu,
    ]).toEqual([pod.metadata.name, '500m']);
});

withHelm.each([
  ['production', [], '12'],
  ['production', ['--set', 'gateway.autoscaling.max=0'], '3'],
  ['sandbox', [], '2'],
] as const)('%s %j: a gateway knows of how many it is one', (environment, more, replicas) => {
  const gateway = podTemplates(manifests(render(environment, more))).find(
    ({ metadata }) => metadata.name === 'gateway',
  )!;
  expect(settingOf(gateway, 'GATEWAY_REPLICAS')).toBe(replicas);
});

withHelm(
  'the number that an autoscaler has found stays, also 0; the first one is its own to find',
  async () => {
    const pods = podTemplates(manifests(await renderedBeside({ gateway: 7, custody: 0 })));
    const of = (name: string) => pods.find(({ metadata }) => metadata.name === name)!.spec.replicas;
    expect([of('gateway'), of('custody'), of('orders')]).toEqual([7, 0, undefined]);
  },
);
