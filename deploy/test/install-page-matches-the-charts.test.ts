import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { repository } from './monitoring/monitoring.ts';
import { findProgram, run } from './programs.ts';
import { charts, type Manifest, manifests, podTemplates } from './rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;
const page = readFileSync(`${repository}docs/operators/install.md`, 'utf8');
const dir = mkdtempSync(join(tmpdir(), 'pto-install-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** As the page says: production, and the page's own example over it. */
const asInstalled = (): string => {
  const values = join(dir, 'operator-values.yaml');
  writeFileSync(values, /```yaml\n([\s\S]*?)```/.exec(page)![1]!);
  const { code, output } = run(findProgram('helm')!, [
    ...['template', 'partner-api', `${charts}/partner-api`, '--namespace', 'partner-api'],
    ...['-f', `${charts}/environments/production.yaml`, '-f', values],
  ]);
  if (code !== 0) throw new Error(output);
  return output;
};

/** Secret and key, of settings and of mounted files. */
const secretsOf = ({ spec }: Manifest): [string, string][] => {
  const { containers, volumes } = spec.template.spec;
  const references = containers[0].env.flatMap(
    ({ valueFrom }: { valueFrom?: { secretKeyRef?: { name: string; key: string } } }) =>
      valueFrom?.secretKeyRef ? [[valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key]] : [],
  );
  const files = volumes.flatMap(({ secret }: { secret?: { secretName: string } }) =>
    secret ? [[secret.secretName, 'ca.crt']] : [],
  );
  return [...references, ...files];
};

withHelm('its example is whole: the charts take it, and nothing is left to be filled in', () => {
  const text = asInstalled();
  expect(text.match(/\S*example\.com\S*|\S*10\.30\.\S*/g)).toBeNull();
  expect(text).toContain('registry.example.org/partner-api/webhooks:1.4.0@sha256:');
});

test('its example of TLS to PostgreSQL has every process that connects to PostgreSQL', () => {
  const [, example] = /### TLS to PostgreSQL[\s\S]*?```\n([\s\S]*?)```/.exec(page)!;
  const { global } = parse(readFileSync(`${charts}/partner-api/values.yaml`, 'utf8'));
  const connecting = (global.arrows as { from: string; to: string }[])
    .filter(({ from, to }) => to === 'postgres' && !from.endsWith('-migrate'))
    .map(({ from }) => from);
  expect(connecting.length).toBeGreaterThan(5);
  expect(parse(example!)).toEqual(
    Object.fromEntries(connecting.map((name) => [name, { files: { 'pg-ca': '/pg' } }])),
  );
});

withHelm('it names every Secret and key that a pod of the example reads', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  // "the same, …" are the owners' Secrets of the row above
  const named = rows.map((row) =>
    row.startsWith('| the same') ? `${rows[rows.indexOf(row) - 1]} ${row}` : row,
  );
  const read = podTemplates(manifests(asInstalled())).flatMap(secretsOf);
  expect(read.length).toBeGreaterThan(40);
  const missing = read.filter(
    ([name, key]) =>
      !named.some((row) => row.includes(`\`${name}\``) && row.includes(`\`${key}\``)),
  );
  expect(missing).toEqual([]);
});
