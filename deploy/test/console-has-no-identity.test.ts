import { describe, expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { environments, manifests, podTemplates, render } from './rendered.ts';

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  const withConsole = [
    ...['--set', 'console.enabled=true', '--set', 'console.ingress.enabled=true'],
    ...['--set', 'console.ingress.class=nginx', '--set', 'console.ingress.tlsSecret=public'],
    ...['--set', 'console.ingress.host=console.example.com'],
  ];

  test.each(environments)('%s: the console has a host of its own', (environment) => {
    const all = manifests(render(environment, withConsole));
    const ingress = all.find(
      ({ kind, metadata }) => kind === 'Ingress' && metadata.name === 'console',
    );
    expect(ingress!.spec.rules[0].host).toBe('console.example.com');
    expect(ingress!.spec.tls).toEqual([{ hosts: ['console.example.com'], secretName: 'public' }]);
  });

  test.each(environments)('%s: the portal has a host beside it', (environment) => {
    const all = manifests(
      render(environment, [...withConsole, '--set', 'console.ingress.moreHosts={p.example.com}']),
    );
    const ingress = all.find(
      ({ kind, metadata }) => kind === 'Ingress' && metadata.name === 'console',
    );
    const hosts = ['console.example.com', 'p.example.com'];
    expect(ingress!.spec.rules.map(({ host }: { host: string }) => host)).toEqual(hosts);
    expect(ingress!.spec.tls[0].hosts).toEqual(hosts);
  });

  test.each(environments)('%s: its pod has no key, no certificate and no secret', (environment) => {
    const all = podTemplates(manifests(render(environment, withConsole)));
    const { spec } = all.find(({ metadata }) => metadata.name === 'console')!.spec.template;
    const secrets = spec.volumes.filter((volume: { secret?: object }) => volume.secret);
    expect(secrets.map((volume: { secret: { items: object } }) => volume.secret.items)).toEqual([
      [{ key: 'ca.crt', path: 'ca.crt' }],
    ]);
    const variables = spec.containers[0].env as { valueFrom?: { secretKeyRef?: object } }[];
    expect(variables.filter(({ valueFrom }) => valueFrom?.secretKeyRef)).toEqual([]);
    expect(spec.automountServiceAccountToken).toBe(false);
  });

  test('with an OpenID provider it takes the key of sign-ins from a Secret, and nothing else', () => {
    const secrets = 'console.secrets.console={CONSOLE_OPENID_KEY}';
    const all = podTemplates(manifests(render('production', [...withConsole, '--set', secrets])));
    const { spec } = all.find(({ metadata }) => metadata.name === 'console')!.spec.template;
    const variables = spec.containers[0].env as { name: string; valueFrom?: object }[];
    expect(variables.filter(({ valueFrom }) => valueFrom && 'secretKeyRef' in valueFrom)).toEqual([
      {
        name: 'CONSOLE_OPENID_KEY',
        valueFrom: { secretKeyRef: { name: 'console', key: 'CONSOLE_OPENID_KEY' } },
      },
    ]);
  });

  test.each(['sandbox', 'production'] as const)('%s has none before it is given a host', (name) => {
    const all = podTemplates(manifests(render(name)));
    expect(all.filter(({ metadata }) => metadata.name === 'console')).toEqual([]);
    expect(() => render(name, withConsole.slice(0, -2))).toThrow('ingress.host is required');
  });
});
