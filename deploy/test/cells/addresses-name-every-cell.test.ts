import { describe, expect, test } from '@jest/globals';
import { findProgram } from '../programs.ts';
import { type Manifest, manifests, podTemplates, render } from '../rendered.ts';
import { services } from '../settings.ts';
import { furtherCell, installation, namespaces } from './installation.ts';

/** Settings with an address for each cell, with the service that they name. */
const ofCells = {
  gateway: { ORDERS_ADDRESS: 'orders', CUSTODY_ADDRESS: 'custody', WEBHOOKS_ADDRESS: 'webhooks' },
  operators: { ORDERS_URL: 'orders', CUSTODY_URL: 'custody', WEBHOOKS_URL: 'webhooks' },
} as const;

/** The setting as the process itself reads it. */
const parsed = (all: readonly Manifest[], process: string, setting: string): unknown => {
  const pod = podTemplates(all).find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === process,
  )!;
  const variables: { name: string; value: string }[] = pod.spec.template.spec.containers[0].env;
  const declared = Object.values(services[process]!).find(({ name }) => name === setting)!;
  return declared.parse(variables.find(({ name }) => name === setting)!.value);
};

/** Whether a release in the namespace has a Service at the address. */
const hasService = (all: readonly Manifest[], address: string): boolean => {
  const [, host = '', port] = /^(?:dns|https):\/{2,3}([^:/]+):(\d+)\/?$/.exec(address) ?? [];
  const [name, namespace] = host.split('.');
  return all.some(
    ({ kind, metadata, spec }) =>
      kind === 'Service' &&
      metadata.name === name &&
      metadata.namespace === namespace &&
      spec.ports.some((one: { port: number }) => one.port === Number(port)),
  );
};

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  const settings = (environment: string) =>
    Object.entries(ofCells).flatMap(([process, names]) =>
      Object.keys({
        ...names,
        ...(process === 'gateway' && environment === 'sandbox' && { COURIER_ADDRESS: 'courier' }),
      }).map((name) => [process, name] as const),
    );

  test.each(['sandbox', 'production'] as const)(
    '%s: each address of gateway and operators service is a Service of each cell',
    (environment) => {
      const all = installation(environment);
      for (const [process, name] of settings(environment)) {
        const addresses = parsed(all, process, name) as ReadonlyMap<string, string | string[]>;
        expect([name, ...addresses.keys()]).toEqual([name, 'main', ...Object.keys(namespaces)]);
        const texts = [...addresses.values()].flat();
        expect(new Set(texts).size).toBe(3);
        for (const text of texts)
          expect([name, text, hasService(all, text)]).toEqual([name, text, true]);
      }
    },
  );

  test('without further cells they are the addresses of the one cell', () => {
    const all = manifests(render('sandbox'));
    for (const [process, name] of settings('sandbox')) {
      const addresses = parsed(all, process, name) as ReadonlyMap<string, string | string[]>;
      expect([name, ...addresses.keys()]).toEqual([name, 'main']);
      for (const text of [...addresses.values()].flat())
        expect([text, hasService(all, text)]).toEqual([text, true]);
    }
  });

  test('webhooks of a further cell call the operators service of the first release', () => {
    const cell = manifests(render('production', furtherCell('production', 'north')));
    expect(parsed(cell, 'webhooks', 'ACCESS_URL')).toEqual(['https://operators.partner-api:8081']);
  });

  test('all processes of a cell use the topics and groups of its own prefix, and its Job declares them', () => {
    const cell = podTemplates(manifests(render('production', furtherCell('production', 'north'))));
    const prefixes = cell.flatMap(({ metadata, spec }) =>
      (spec.template.spec.containers[0].env as { name: string; value?: string }[])
        .filter(({ name }) => name === 'KAFKA_TOPIC_PREFIX')
        .map(({ value }) => [metadata.name, value]),
    );
    expect(Object.fromEntries(prefixes)).toEqual({
      ...{ orders: 'north.', custody: 'north.', webhooks: 'north.', 'custody-topics': 'north.' },
    });
  });
});
