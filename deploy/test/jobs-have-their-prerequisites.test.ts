import { describe, expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { environments, type Manifest, manifests, render } from './rendered.ts';

/** When Helm applies it: hooks by their weights, everything else after the last of them. */
const moment = ({ metadata }: Manifest): number =>
  metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade'
    ? Number(metadata.annotations['helm.sh/hook-weight'])
    : Number.POSITIVE_INFINITY;

/** What of a release a Job's pod cannot start or speak without. */
const neededBy = ({ spec }: Manifest, all: readonly Manifest[]): Manifest[] => {
  const { serviceAccountName, containers, volumes } = spec.template.spec;
  const secrets: string[] = [
    ...containers[0].env.map((one: Variable) => one.valueFrom?.secretKeyRef?.name),
    ...volumes.map((one: Volume) => one.secret?.secretName),
  ];
  const { labels } = spec.template.metadata;
  return all.filter(
    ({ kind, metadata: { name }, spec: own }) =>
      (kind === 'ServiceAccount' && name === serviceAccountName) ||
      (kind === 'ExternalSecret' && secrets.includes(name)) ||
      (kind === 'NetworkPolicy' &&
        Object.entries(own.podSelector.matchLabels).every(([key, value]) => labels[key] === value)),
  );
};

interface Variable {
  valueFrom?: { secretKeyRef?: { name: string } };
}
interface Volume {
  secret?: { secretName: string };
}

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(environments)('%s: its account, its Secrets and its policy stand before it', (name) => {
    const all = manifests(render(name));
    const jobs = all.filter(({ kind }) => kind === 'Job');
    expect(jobs).toHaveLength(name === 'production' ? 5 : 6);
    for (const job of jobs) {
      const needed = neededBy(job, all);
      const kinds = new Set(needed.map(({ kind }) => kind));
      const secrets = name === 'local' ? [] : ['ExternalSecret'];
      expect([job.metadata.name, kinds]).toEqual([
        job.metadata.name,
        new Set(['ServiceAccount', 'NetworkPolicy', ...secrets]),
      ]);
      const late = needed.filter((one) => moment(one) >= moment(job));
      expect([job.metadata.name, late.map(({ kind }) => kind)]).toEqual([job.metadata.name, []]);
      // created again each time: a changed peer reaches the Jobs of that same upgrade
      for (const { metadata } of needed)
        expect(metadata.annotations?.['helm.sh/hook-delete-policy']).toBe('before-hook-creation');
    }
  });

  test("files of a process are its Jobs' too", () => {
    const files = ['--set', 'orders.files.pg-ca=/pg'];
    const pods = manifests(render('local', files)).filter(({ metadata: { name }, kind }) =>
      ['Deployment orders', 'Job orders-migrate'].includes(`${kind} ${name}`),
    );
    expect(pods).toHaveLength(2);
    for (const { spec } of pods) {
      const { containers, volumes } = spec.template.spec;
      expect(containers[0].volumeMounts).toContainEqual({
        name: 'pg-ca',
        mountPath: '/pg',
        readOnly: true,
      });
      expect(volumes).toContainEqual({
        name: 'pg-ca',
        secret: expect.objectContaining({ secretName: 'pg-ca' }),
      });
    }
  });

  test('a Job cannot be weighed before what it needs', () => {
    const early = ['--set', 'custody.jobs.topics.weight=-20'];
    expect(() => render('local', early)).toThrow('weight');
  });
});
