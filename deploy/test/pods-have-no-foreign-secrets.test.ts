import { describe, expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { environments, manifests, podTemplates, render } from './rendered.ts';

interface Variable {
  readonly name: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly key: string } };
}

/** Pods by name, each with the names of its settings and of the keys of its Secrets. */
const settingsOf = (environment: (typeof environments)[number]) =>
  podTemplates(manifests(render(environment))).map(({ metadata, spec }) => {
    const { containers, initContainers = [] } = spec.template.spec;
    const all = [...containers, ...initContainers];
    const variables: Variable[] = all.flatMap(({ env = [] }) => env);
    return {
      pod: metadata.name,
      images: all.map(({ image }) => image as string),
      names: variables.flatMap(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef?.key ?? '']),
    };
  });

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(environments)('%s: no pod runs the command line or has its identity', (environment) => {
    for (const { pod, images, names } of settingsOf(environment)) {
      const ofOperator = names.filter((name) => /^OPERATOR_(TOKEN|SESSION|URL)/.test(name));
      expect([pod, ofOperator]).toEqual([pod, []]);
      for (const image of images)
        expect([pod, image]).not.toEqual([pod, expect.stringMatching(/\/operator[:@]/)]);
    }
  });

  test.each(environments)(
    '%s: a pod that has the URL of the owner of a database has no signing key',
    (environment) => {
      const owners = settingsOf(environment).filter(({ names }) =>
        names.includes('MIGRATION_DATABASE_URL'),
      );
      expect(owners).toHaveLength(environment === 'production' ? 4 : 5);
      for (const { pod, names } of owners) {
        const keys = names.filter((name) => /SIGNING|SECRET_KEY|_KEYS$/.test(name));
        const expected = pod === 'custody-migrate' ? ['CUSTODY_PUBLIC_KEYS'] : [];
        expect([pod, keys]).toEqual([pod, expected]);
      }
    },
  );

  test('only the pods of webhooks have the key of the client certificate', () => {
    const value = ['--set', 'webhooks.clientCertificateSecret=webhooks-client'];
    const having = podTemplates(manifests(render('production', value))).filter(({ spec }) =>
      JSON.stringify(spec).includes('"webhooks-client"'),
    );
    expect(having.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ['Deployment', 'webhooks'],
    ]);
    const [container] = having[0]!.spec.template.spec.containers;
    expect(container.env).toEqual(
      expect.arrayContaining([
        { name: 'WEBHOOKS_CLIENT_CERT_FILE', value: '/client/tls.crt' },
        { name: 'WEBHOOKS_CLIENT_KEY_FILE', value: '/client/tls.key' },
      ]),
    );
    expect(container.volumeMounts).toContainEqual({
      ...{ name: 'client-certificate', mountPath: '/client', readOnly: true },
    });
  });
});
