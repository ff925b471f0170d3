import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { repository } from '../monitoring/monitoring.ts';
import { findProgram } from '../programs.ts';
import { manifests, render } from '../rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;
const annotation = 'nginx.ingress.kubernetes.io/proxy-next-upstream';

withHelm.each(['sandbox', 'production'] as const)(
  '%s: after a broken connection another pod is tried once, and never for a POST',
  (environment) => {
    const ingress = manifests(render(environment)).find(({ kind }) => kind === 'Ingress')!;
    // "non_idempotent" is what would send a POST or PATCH again
    expect(
      [annotation, `${annotation}-tries`].map((a) => ingress.metadata.annotations?.[a]),
    ).toEqual(['error', '2']);
  },
);

test('nginx sends again what reads, and what has the same effect twice, and nothing else', () => {
  const { paths } = JSON.parse(
    readFileSync(`${repository}services/gateway/openapi/v1.json`, 'utf8'),
  ) as { paths: Record<string, Record<string, object>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(operations.length).toBeGreaterThan(15);
  // before you add a method: is it idempotent? If not, the ingress must not send it again
  expect(operations.filter((one) => !/^(get|post|patch) /.test(one))).toEqual([
    'delete /webhooks/{endpoint_id}',
    // a second one ends links that have ended
    'delete /portal-links',
    'delete /orders/{order_id}/links',
    'delete /orders/{order_id}/links/{link_id}',
    // the second one sets the same rehearsal
    'put /sandbox/webhooks/{endpoint_id}/rehearsal',
  ]);
});
