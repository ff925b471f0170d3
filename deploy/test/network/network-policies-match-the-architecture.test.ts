import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findProgram } from '../programs.ts';
import { charts, environments, manifests, render } from '../rendered.ts';
import { drawn, ourPods, pod } from './drawn.ts';
import type { Endpoint } from './network.ts';

/** ARCHITECTURE.md's drawing, with what it leaves to a reader: stores, metrics, the Jobs. */
const arrows = [
  'ingress → gateway:http',
  'gateway → orders:grpc',
  'gateway → custody:grpc',
  'gateway → webhooks:grpc',
  'gateway → operators:connect',
  'custody → orders:connect',
  'auditor → orders:connect',
  'webhooks → operators:connect',
  'operators → orders:connect',
  'operators → custody:connect',
  'operators → webhooks:connect',
  ...['gateway', 'operators', 'orders', 'custody', 'webhooks', 'auditor'].flatMap((name) => [
    `prometheus → ${name}:admin`,
    `${name} → postgres:postgres`,
  ]),
  ...['operators', 'orders', 'custody', 'webhooks'].map(
    (name) => `${name}-migrate → postgres:postgres`,
  ),
  'gateway → redis:redis',
  'operators → redis:redis',
  ...['orders', 'custody', 'webhooks', 'custody-topics'].map((name) => `${name} → kafka:kafka`),
  'webhooks → the world:https',
];
/** The courier is in the sandbox alone (decision 64). */
const withCourier = [
  'gateway → courier:grpc',
  'courier → orders:connect',
  'prometheus → courier:admin',
  'courier → postgres:postgres',
  'courier-migrate → postgres:postgres',
];
/** The example environments run the console where its host is known: on a developer's cluster. */
const withConsole = [
  'ingress → console:http',
  'console → operators:operators',
  'console → gateway:http',
  'prometheus → console:admin',
];
const withBucket = ['orders → objects:https', 'custody → objects:https', 'auditor → objects:https'];
const withMail = ['webhooks → mail:smtps', 'auditor → mail:smtps'];

/** Everybody else whom a pod could speak to, or who could speak to one. */
const others: readonly Endpoint[] = [
  pod('prometheus', { http: 9090 }, 'monitoring'),
  pod('a stranger in the namespace', { http: 8080, postgres: 5432 }),
  pod('gateway', { http: 8080, grpc: 50051, connect: 8081, admin: 9090 }, 'elsewhere'),
  { name: 'the world', address: '93.184.216.34', ports: { https: 443, other: 8443 } },
  { name: 'the metadata address', address: '169.254.169.254', ports: { http: 80, https: 443 } },
  { name: 'a node', address: '10.1.2.3', ports: { kubelet: 10_250, https: 443 } },
  { name: 'the API server', address: '10.96.0.1', ports: { https: 443 } },
  { name: 'a carrier', address: '100.64.0.1', ports: { https: 443 } },
  { name: 'a home', address: '192.168.1.1', ports: { https: 443 } },
];
const stores: Record<string, readonly Endpoint[]> = {
  local: [
    pod('postgres', { postgres: 5432 }),
    pod('redis', { redis: 6379 }),
    pod('kafka', { kafka: 9092 }),
  ],
  sandbox: storesAt('10.20.0'),
  production: storesAt('10.30.0'),
};
function storesAt(network: string): Endpoint[] {
  return [
    { name: 'postgres', address: `${network}.17`, ports: { postgres: 5432 } },
    { name: 'redis', address: `${network}.33`, ports: { redis: 6379 } },
    { name: 'kafka', address: `${network}.49`, ports: { kafka: 9093 } },
    { name: 'mail', address: `${network}.64`, ports: { smtps: 465 } },
    { name: 'objects', address: `${network}.81`, ports: { https: 443 } },
  ];
}

const where = findProgram('helm') ? describe : describe.skip;

where('with Helm', () => {
  test.each(environments)('%s: each arrow, and no other', (environment) => {
    const all = manifests(render(environment));
    const ingress = pod('ingress', {}, environment === 'local' ? 'ingress' : 'ingress-nginx');
    const found = drawn(all, [ingress, ...others, ...stores[environment]!]);
    const mail = environment === 'local' ? [] : withMail;
    const trial =
      environment === 'production' ? [] : ['webhooks → the world:other', ...withCourier];
    const only = environment === 'local' ? withConsole : withBucket;
    expect(found.sort()).toEqual([...arrows, ...mail, ...trial, ...only].sort());
  });

  test.each(environments)(
    '%s: every pod is selected by one policy, in both directions',
    (environment) => {
      const all = manifests(render(environment));
      for (const { name, labels } of ourPods(all)) {
        const selecting = all.filter(
          ({ kind, spec }) =>
            kind === 'NetworkPolicy' &&
            Object.entries(spec.podSelector.matchLabels).every(
              ([key, value]) => labels?.[key] === value,
            ),
        );
        expect([name, selecting.map(({ spec }) => spec.policyTypes)]).toEqual([
          name,
          [['Ingress', 'Egress']],
        ]);
      }
    },
  );

  test.each([
    ['a peer without its place', '{"collector":{"port":4318}}', /collector.*\n?.*at/],
    ['a peer whose place is empty', '{"collector":{"port":4318,"at":[]}}', /collector/],
    ['a place that is anywhere', '{"collector":{"port":4318,"at":[{}]}}', /collector/],
    ['no Postgres', '{"postgres":null}', /postgres/],
    ['no Redis', '{"redis":null}', /redis/],
    ['no Kafka', '{"kafka":null}', /kafka/],
    ['a range that is none', '{"world":{"except":["10.0.0.0"]}}', /world/],
  ])('%s is refused by its name', (_, peers, name) => {
    const stray = ['--set-json', `global.peers=${peers}`];
    expect(() => render('production', stray)).toThrow(name);
  });

  test('traces that nobody takes are refused', () => {
    const traces = ['--set', 'global.tracing=http://collector:4318'];
    expect(() => render('local', traces)).toThrow('global.peers.collector is not');
    const taken = ['--set-json', 'global.peers.collector={"port":4318,"at":[{"podSelector":{}}]}'];
    expect(() => render('local', [...traces, ...taken])).not.toThrow();
  });

  test('the gateway reaches the Prometheus of the status page only where a site names it', () => {
    const at = [{ ipBlock: { cidr: '10.30.0.96/32' } }];
    const peer = JSON.stringify({ port: 9090, at });
    const prometheus: Endpoint = { name: 'api', address: '10.30.0.96', ports: { http: 9090 } };
    const found = drawn(
      manifests(render('production', ['--set-json', `global.peers.prometheusApi=${peer}`])),
      [...others, prometheus],
    );
    const asDrawn = drawn(manifests(render('production')), [...others, prometheus]);
    expect(found.sort()).toEqual([...asDrawn, 'gateway → api:http'].sort());
  });

  test("a site's own ranges are no part of the world, beside those that never are", () => {
    const address = (name: string, at: string): Endpoint => ({
      ...{ name, address: at, ports: { https: 443 } },
    });
    const around = [
      address('a public node', '203.0.113.9'),
      address('its neighbour', '203.0.114.9'),
      address('the platform', '168.63.129.16'),
    ];
    const more = ['--set-json', 'global.peers.world.except=["203.0.113.0/24","2001:db8::/32"]'];
    const found = drawn(manifests(render('production', more)), [...others, ...around]);
    const asDrawn = drawn(manifests(render('production')), others);
    expect(found.sort()).toEqual([...asDrawn, 'webhooks → its neighbour:https'].sort());
  });

  test('an arrow to nobody is refused by its name', () => {
    const stray = ['--set-json', 'global.arrows=[{"from":"gateway","to":"oders","port":"grpc"}]'];
    expect(() => render('local', stray)).toThrow('nobody is called oders');
  });

  test.each(['sandbox', 'production'] as const)('%s: a site sees what it must say', (name) => {
    const own = parse(readFileSync(`${charts}/environments/${name}.yaml`, 'utf8'));
    for (const peer of ['dns', 'ingress', 'prometheus', 'postgres', 'redis', 'kafka', 'mail'])
      expect([peer, own.global.peers[peer]?.at]).toEqual([peer, expect.any(Array)]);
    expect(own.custody.persistence.anchor.class).toContain('example.com');
  });
});
