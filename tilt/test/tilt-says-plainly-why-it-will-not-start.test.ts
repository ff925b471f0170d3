import { expect, test } from '@jest/globals';
import { evaluate, evaluateByTilt, go, helm, type Machine, tilt } from '../evaluator/evaluate.ts';

const on = go ? test : test.skip;
const withCharts = go && helm ? test : test.skip;

withCharts.each(['kind-kind', 'k3d-dev', 'docker-desktop', 'rancher-desktop', 'minikube'])(
  'the cluster %s may be changed',
  (context) => {
    const { error, calls } = evaluate({ context });
    expect(error).toBeUndefined();
    expect(calls.allow_k8s_contexts).toMatchObject([{ contexts: context }]);
  },
  180_000,
);

const only = 'it works with kind-*, k3d-*, docker-desktop, rancher-desktop, minikube only.';
const refusals: readonly (Machine & { readonly sentence: string })[] = [
  ...[
    'production',
    'my-kind-cluster',
    'minikube-2',
    'gke_clinic_europe',
    'docker-desktop.example',
  ].map((context) => ({
    context,
    sentence: `Tilt will not touch the cluster "${context}": ${only}`,
  })),
  { context: '', sentence: 'There is no cluster: make one' },
  { context: 'kind-kind', lacks: ['kubectl'], sentence: 'kubectl is missing: it speaks with' },
  { context: 'kind-kind', lacks: ['helm'], sentence: 'helm is missing: it renders the charts.' },
  { context: 'kind-kind', lacks: ['docker'], sentence: 'docker is missing: it builds the images.' },
  { context: 'kind-kind', lacks: ['kind'], sentence: 'kind is missing: it brings images into' },
  { context: 'minikube', lacks: ['minikube'], sentence: 'minikube is missing: it brings images' },
  { context: 'kind-kind', silent: true, sentence: 'The cluster "kind-kind" does not answer' },
  { context: 'k3d-dev', registry: false, sentence: 'The cluster "k3d-dev" has no registry' },
];

on.each(refusals)(
  '$sentence ($context)',
  ({ sentence, ...machine }) => {
    const { error } = evaluate(machine);
    expect(error).toContain(sentence);
    expect(error).not.toMatch(/Traceback|\n/);
  },
  180_000,
);

(tilt ? test : test.skip).each(refusals.filter(({ context }) => context))(
  'Tilt itself: $sentence ($context)',
  ({ sentence, ...machine }) => {
    const { status, stdout, stderr } = evaluateByTilt(machine);
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain(sentence);
  },
);
