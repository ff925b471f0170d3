import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { furtherCell } from './cells/installation.ts';
import { findProgram, run } from './programs.ts';
import { charts, environments, helmArguments, render } from './rendered.ts';

/** What the tools say against the charts, and why it stands. */
const accepted: Readonly<Record<string, string>> = {
  'kube-score container-image-pull-policy':
    'tags are never moved, and digests say what runs: asking the registry at each start adds a way to fail',
  'kube-score deployment-strategy': 'the auditor may never be two: its memory is one file',
  'kube-score deployment-replicas': 'the auditor is one; partners never wait for it',
  'checkov CKV_K8S_15': 'as kube-score container-image-pull-policy',
  'checkov CKV_K8S_21': 'a release is given its namespace when it is installed',
  'checkov CKV_K8S_35':
    'settings are read from the environment, once, and printed with secrets masked',
};

/** Programs that a clean machine may lack; without one its tests are counted as skipped. */
const having = (...names: string[]) => (names.every(findProgram) ? describe : describe.skip);

const dir = mkdtempSync(join(tmpdir(), 'pto-charts-'));
afterAll(() => rmSync(dir, { recursive: true }));
/** What is rendered: each environment, and the release of a further cell. */
const rendered: readonly string[] = [...environments, 'cell'];
const file = (name: string): string => {
  const path = join(dir, `${name}.yaml`);
  const isCell = name === 'cell';
  writeFileSync(
    path,
    isCell
      ? render('production', furtherCell('production', 'north'))
      : render(name as (typeof environments)[number]),
  );
  return path;
};
const schemas = fileURLToPath(new URL('schemas', import.meta.url));
const kind = '{{ .ResourceKind }}{{ .KindSuffix }}.json';

having('helm')('helm', () => {
  test.each(environments)('lint --strict: %s', (environment) => {
    expect(run(findProgram('helm')!, ['lint', '--strict', ...helmArguments(environment)])).toEqual({
      code: 0,
      output: expect.stringContaining('0 chart(s) failed'),
    });
  });

  test('lint --strict: a further cell', () => {
    const words = [...helmArguments('production'), ...furtherCell('production', 'north')];
    expect(run(findProgram('helm')!, ['lint', '--strict', ...words]).code).toBe(0);
  });

  test('lint --strict: the stores of a developer', () => {
    expect(run(findProgram('helm')!, ['lint', '--strict', `${charts}/local-stores`]).code).toBe(0);
  });

  test.each([
    ['global.tsl.enabled=true', 'tsl'],
    ['ordres.replicas=2', 'ordres'],
    ['orders.replica=2', 'replica'],
    ['orders.env.database_url=x', 'database_url'],
    ['gateway.ingress.hots=x', 'hots'],
    ['global.image.digests.order=sha256:0', 'order'],
    ['global.peers.postgresql.port=1', 'postgresql'],
    ['global.publicBaseUrl=https://example.com', 'publicBaseUrl'],
    ['gateway.graceSeconds=5', 'graceSeconds'],
    ['auditor.replicas=2', 'auditor'],
    ['auditor.autoscaling.max=2', 'auditor'],
    ['auditor.strategy=RollingUpdate', 'auditor'],
    ['orders.service={conect}', 'orders has no port named conect'],
    ['orders.headless={grcp}', 'orders has no port named grcp'],
    ['orders.graceSeconds=14', 'orders.graceSeconds'],
    ['orders.drainSeconds=16', 'orders.graceSeconds'],
    ['global.kafka.minInSync=2', 'global.kafka.minInSync'],
    ['orders.autoscaling.max=1', 'orders.autoscaling.max'],
  ])('what cannot be meant is refused by its name: %s', (setting, name) => {
    expect(() => render('local', ['--set', setting])).toThrow(name);
  });
});

having('helm', 'kubeconform')('kubeconform', () => {
  test.each(rendered)('-strict: %s', (environment) => {
    const known = process.env.K8S_HOME
      ? ['-schema-location', join(process.env.K8S_HOME, 'schemas', kind)]
      : ['-schema-location', 'default'];
    const { code, output } = run(findProgram('kubeconform')!, [
      ...['-strict', '-summary', ...known, '-schema-location', join(schemas, kind)],
      file(environment),
    ]);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('Invalid: 0, Errors: 0, Skipped: 0'),
    ]);
  });
});

having('helm', 'kube-score')('kube-score', () => {
  test.each(rendered)('%s', (environment) => {
    const { output } = run(findProgram('kube-score')!, [
      ...[
        'score',
        '--output-format',
        'json',
        '--enable-optional-test',
        'container-seccomp-profile',
      ],
      file(environment),
    ]);
    const found = (JSON.parse(output) as Scored[]).flatMap(({ object_name, checks }) =>
      checks
        .filter(({ grade, skipped }) => !skipped && grade < 10)
        .filter(({ check }) => !accepted[`kube-score ${check.id}`])
        .map(({ check }) => `${object_name}: ${check.id}`),
    );
    expect(found).toEqual([]);
  });
});

having('helm', 'checkov')('checkov', () => {
  // a developer's images have no digests
  test.each(['sandbox', 'production'] as const)('%s', (environment) => {
    const { output } = run(findProgram('checkov')!, [
      ...['--framework', 'kubernetes', '--compact', '--quiet', '--skip-download'],
      ...['-o', 'json', '-f', file(environment)],
    ]);
    const { failed_checks } = (JSON.parse(output) as { results: { failed_checks: Failed[] } })
      .results;
    const found = failed_checks
      .filter(({ check_id }) => !accepted[`checkov ${check_id}`])
      .map(({ check_id, resource }) => `${resource}: ${check_id}`);
    expect(found).toEqual([]);
  });
});

interface Scored {
  object_name: string;
  checks: { check: { id: string }; grade: number; skipped: boolean }[];
}
interface Failed {
  check_id: string;
  resource: string;
}
