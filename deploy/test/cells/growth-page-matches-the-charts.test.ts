import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { repository } from '../monitoring/monitoring.ts';
import { findProgram, run } from '../programs.ts';
import { charts } from '../rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;
const dir = mkdtempSync(join(tmpdir(), 'pto-growth-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Writes a YAML example of a page. @returns the file. */
const exampleOf = (page: string, index = 0): string => {
  const text = readFileSync(`${repository}docs/operators/${page}.md`, 'utf8');
  const [, indent, example] = [...text.matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm)][index]!;
  const file = join(dir, `${page}-${index}.yaml`);
  writeFileSync(file, example!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  return file;
};

/** The files of a site, by the names that the page gives them. */
const site = (): Readonly<Record<string, string>> => ({
  'operator-values.yaml': exampleOf('install'),
  'north-values.yaml': exampleOf('growth'),
  'first-values.yaml': exampleOf('growth', 1),
});

/** Renders a release from files as a command of the pages names them. */
const rendered = (namespace: string, files: readonly string[], more: readonly string[] = []) => {
  const own = site();
  const { code, output } = run(findProgram('helm')!, [
    ...['template', 'partner-api', `${charts}/partner-api`, '--namespace', namespace],
    ...files.flatMap((file) => ['-f', own[file] ?? `${repository}${file}`]),
    ...more,
  ]);
  expect([code, output]).toEqual([0, expect.stringContaining('kind: Deployment')]);
  return output;
};

/** The files of the command that installs and upgrades the cell. */
const ofCell = (): string[] => {
  const text = readFileSync(`${repository}docs/operators/growth.md`, 'utf8');
  const [command] = /helm upgrade --install partner-api .* partner-api-north[^`]*/.exec(text)!;
  return [...command.matchAll(/-f (\S+)/g)].map(([, file]) => file!);
};

const ofFirst = [
  'deploy/helm/environments/production.yaml',
  'operator-values.yaml',
  'first-values.yaml',
];

withHelm('the example of a further cell leaves nothing to be filled in', () => {
  expect(ofCell()).not.toContain('first-values.yaml');
  const output = rendered('partner-api-north', ofCell());
  expect(output.match(/\S*example\.com\S*|\S*10\.30\.\S*/g)).toBeNull();
  expect(output).toContain('"transports.example.org/north/custody"');
  expect(output).toContain('key: "partner-api-north/orders"');
});

withHelm('the first release names the cell with a file that the cell does not read', () => {
  const output = rendered('partner-api', ofFirst);
  expect(output).toContain('north=dns:///orders-headless.partner-api-north:50051');
});

withHelm('the cell has no ExternalSecret of the console', () => {
  const console = ['--set', 'global.externalSecrets.secrets.console={CONSOLE_KEY}'];
  const cell = rendered('partner-api-north', ofCell(), console);
  expect(cell).not.toContain('key: "partner-api-north/console"');
  expect(rendered('partner-api', ofFirst, console)).toContain('key: "partner-api/console"');
});
