import { describe, expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { environments, manifests, podTemplates, render } from './rendered.ts';

const console = [
  ...['--set', 'console.enabled=true', '--set', 'console.ingress.enabled=true'],
  ...['--set', 'console.ingress.class=nginx', '--set', 'console.ingress.tlsSecret=public'],
  ...['--set', 'console.ingress.host=console.example.com'],
];

/** What each process with the folder /tls finds there: files by the Secret that they come from. */
const filesOf = (environment: (typeof environments)[number], more: readonly string[]) =>
  podTemplates(manifests(render(environment, [...console, ...more])))
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }) => {
      const { containers, volumes } = spec.template.spec;
      const { name } = containers[0].volumeMounts.find(
        (mount: { mountPath: string }) => mount.mountPath === '/tls',
      );
      const volume = volumes.find((one: { name: string }) => one.name === name);
      const sources = volume.projected?.sources ?? [
        { secret: { ...volume.secret, name: volume.secret.secretName } },
      ];
      return [
        metadata.name,
        Object.fromEntries(
          sources.map(({ secret }: { secret: { name: string; items?: { path: string }[] } }) => [
            secret.name,
            secret.items?.map(({ path }) => path) ?? 'all',
          ]),
        ),
      ];
    });

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(environments)(
    '%s: every process trusts the authorities of global.tls.caSecret, and no other',
    (environment) => {
      const all = filesOf(environment, ['--set', 'global.tls.caSecret=authorities']);
      expect(all.length).toBeGreaterThanOrEqual(7);
      for (const [name, files] of all)
        expect([name, files]).toEqual([
          name,
          name === 'console'
            ? { authorities: ['ca.crt'] }
            : { [`${name}-tls`]: ['tls.crt', 'tls.key'], authorities: ['ca.crt'] },
        ]);
    },
  );

  test.each(environments)(
    '%s: without it every process trusts the authority of its own Secret',
    (environment) => {
      for (const [name, files] of filesOf(environment, []))
        expect([name, files]).toEqual([
          name,
          name === 'console' ? { 'operators-tls': ['ca.crt'] } : { [`${name}-tls`]: 'all' },
        ]);
    },
  );
});
