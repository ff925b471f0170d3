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

/** Writes the first YAML example of a page. @returns the file. */
const exampleOf = (page: string): string => {
  const text = readFileSync(`${repository}docs/operators/${page}.md`, 'utf8');
  const [, indent, example] = /^( *)```yaml\n([\s\S]*?)^ *```/m.exec(text)!;
  const file = join(dir, `${page}.yaml`);
  writeFileSync(file, example!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  return file;
};

withHelm('the example of a further cell leaves nothing to be filled in', () => {
  const { code, output } = run(findProgram('helm')!, [
    ...['template', 'partner-api', `${charts}/partner-api`, '--namespace', 'partner-api-north'],
    ...['-f', `${charts}/environments/production.yaml`, '-f', exampleOf('install')],
    ...['-f', `${charts}/environments/cell.yaml`, '-f', exampleOf('growth')],
  ]);
  expect([code, output]).toEqual([0, expect.stringContaining('kind: Deployment')]);
  expect(output.match(/\S*example\.com\S*|\S*10\.30\.\S*/g)).toBeNull();
  expect(output).toContain('"transports.example.org/north/custody"');
  expect(output).toContain('key: "partner-api-north/orders"');
});
