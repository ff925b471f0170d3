import { describe, expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { manifests, render } from './rendered.ts';

/** Names in the store, by the Secret that they are for. */
const namesOf = (more: readonly string[]) =>
  manifests(render('production', more))
    .filter(({ kind }) => kind === 'ExternalSecret')
    .map(({ metadata, spec }) => [
      metadata.name,
      new Set(spec.data.map(({ remoteRef }: { remoteRef: { key: string } }) => remoteRef.key)),
    ]);

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(['/', '-', ''])('the separator %j stands between prefix and name', (separator) => {
    const all = namesOf(['--set', `global.externalSecrets.separator=${separator}`]);
    expect(all.length).toBeGreaterThan(15);
    for (const [name, stored] of all)
      expect(stored).toEqual(new Set([`partner-api${separator}${name}`]));
  });

  test('a slash is the separator unless another one is set', () => {
    for (const [name, stored] of namesOf([]))
      expect(stored).toEqual(new Set([`partner-api/${name}`]));
  });
});
