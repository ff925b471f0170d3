import { expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { type Manifest, manifests, podTemplates, render } from './rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;

/** All pods, of Jobs or not, with one value of each. */
const distinct = (pods: readonly Manifest[], job: boolean): string[] => [
  ...new Set(
    pods
      .filter(({ kind }) => (kind === 'Job') === job)
      .map(({ spec: { template } }) => {
        const { nodeSelector, tolerations, priorityClassName } = template.spec;
        const { annotations } = template.metadata;
        return JSON.stringify([nodeSelector, tolerations, priorityClassName, annotations]);
      }),
  ),
];

withHelm('nodes, priority and annotations also apply to Jobs, which a service mesh ignores', () => {
  const nodes = { 'example.org/pool': 'orders' };
  const taints = [{ effect: 'NoSchedule', key: 'orders', operator: 'Exists' }];
  const pods = podTemplates(
    manifests(
      render('production', [
        ...['--set-json', `global.nodeSelector=${JSON.stringify(nodes)}`],
        ...['--set-json', `global.tolerations=${JSON.stringify(taints)}`],
        ...['--set', 'global.priorityClassName=served'],
        ...['--set-json', 'global.annotations={"mesh/inject":"true","team":"transports"}'],
        ...['--set-json', 'global.jobAnnotations={"mesh/inject":"false"}'],
      ]),
    ),
  );
  expect(pods).toHaveLength(11);
  const placed = (inject: string) => [
    JSON.stringify([nodes, taints, 'served', { 'mesh/inject': inject, team: 'transports' }]),
  ];
  expect(distinct(pods, false)).toEqual(placed('true'));
  expect(distinct(pods, true)).toEqual(placed('false'));
});

withHelm('nobody is placed unasked', () => {
  const pods = podTemplates(manifests(render('production')));
  expect([...distinct(pods, true), ...distinct(pods, false)]).toEqual(
    Array(2).fill('[null,null,null,null]'),
  );
});
