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

  test.each([
    ['production', 'true'],
    ['sandbox', 'false'],
  ] as const)('%s with courier.enabled=%s is refused', (environment, enabled) => {
    expect(() => render(environment, ['--set', `courier.enabled=${enabled}`])).toThrow(
      'courier.enabled must be true in the sandbox',
    );
  });
});
