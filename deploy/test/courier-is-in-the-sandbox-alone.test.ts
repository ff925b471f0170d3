import { describe, expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { environments, manifests, podTemplates, render } from './rendered.ts';

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(environments)('%s', (environment) => {
    const all = manifests(render(environment));
    const named = all.filter(({ metadata }) => /^courier/.test(metadata.name));
    const pods = podTemplates(named).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const expected = ['Deployment courier', 'Job courier-migrate'];
    expect(pods.sort()).toEqual(environment === 'production' ? [] : expected);
    if (environment === 'production') expect(named).toEqual([]);
  });

  test.each(environments)('%s: the processes of the sandbox paths know it', (environment) => {
    const pods = podTemplates(manifests(render(environment)));
    for (const name of ['gateway', 'webhooks']) {
      const pod = pods.find((one) => one.kind === 'Deployment' && one.metadata.name === name)!;
      const variables: { name: string; value?: string }[] =
        pod.spec.template.spec.containers[0].env;
      const value = variables.find((one) => one.name === 'ENVIRONMENT')?.value;
      expect(value).toBe(environment === 'production' ? 'production' : 'sandbox');
    }
  });

  test.each([
    ['production', 'true'],
    ['sandbox', 'false'],
  ] as const)('%s with courier.enabled=%s is refused', (environment, enabled) => {
    expect(() => render(environment, ['--set', `courier.enabled=${enabled}`])).toThrow(
      'courier.enabled must be true in the sandbox',
    );
  });
});
