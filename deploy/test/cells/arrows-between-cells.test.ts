import { describe, expect, test } from '@jest/globals';
import { drawn, pod } from '../network/drawn.ts';
import type { Endpoint } from '../network/network.ts';
import { findProgram } from '../programs.ts';
import { manifests, render } from '../rendered.ts';
import { installation, manifestsOf, namespaces } from './installation.ts';

const { north, south } = namespaces;
const ports = { http: 8080, grpc: 50_051, connect: 8081, operators: 8443, admin: 9090 };

/** What may leave the namespace of its release: decided by gateway, operators service and webhooks. */
const crossing = (cell: string): string[] => [
  ...['orders', 'custody', 'webhooks'].flatMap((name) => [
    `gateway → ${cell}/${name}:grpc`,
    `operators → ${cell}/${name}:connect`,
  ]),
  `${cell}/webhooks → operators:connect`,
];
const withCourier = (cell: string): string[] => [`gateway → ${cell}/courier:grpc`];

/** A pod that no policy restricts and that has the labels of a process of ours. */
const impostor = (name: string, namespace: string): Endpoint => ({
  ...pod(name, ports, namespace),
  name: `impostor ${namespace}/${name}`,
  labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'partner-api' },
});
const processes = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'auditor'];

const namespaceOf = (end: string): string => (end.includes('/') ? end.split('/')[0]! : 'first');
const leavesItsNamespace = (arrow: string): boolean => {
  const [from = '', to = ''] = arrow.split(' → ');
  return namespaceOf(from) !== namespaceOf(to);
};

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(['sandbox', 'production'] as const)(
    '%s: gateway and operators service reach each cell, webhooks reaches them, and nothing else leaves its cell',
    (environment) => {
      const found = drawn(installation(environment), []).filter(leavesItsNamespace);
      const expected = [north, south].flatMap((cell) => [
        ...crossing(cell),
        ...(environment === 'sandbox' ? withCourier(cell) : []),
      ]);
      expect(found.sort()).toEqual(expected.sort());
    },
  );

  test.each(['sandbox', 'production'] as const)(
    '%s: within a cell there are the arrows of the first release, without the shared processes',
    (environment) => {
      const shared = /\b(gateway|operators|operators-migrate|console|witness)\b/;
      const first = drawn(manifests(render(environment)), []).filter((one) => !shared.test(one));
      expect(first.length).toBeGreaterThan(1);
      expect(drawn(manifestsOf(environment, 'north'), []).sort()).toEqual(
        first.map((arrow) => arrow.replaceAll(/(^| → )/g, `$1${north}/`)).sort(),
      );
    },
  );

  test('a pod with the labels of a process reaches nothing from a namespace where it has no place', () => {
    const impostors = [
      ...processes.map((name) => impostor(name, 'elsewhere')),
      ...['gateway', 'operators'].map((name) => impostor(name, north)),
    ];
    expect(impostors.length).toBe(8);
    expect(
      drawn(installation('production'), impostors).filter((one) => /impostor/.test(one)),
    ).toEqual([]);
  });
});
