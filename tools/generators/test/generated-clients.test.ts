import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { pythonWith } from '@pto/testing';
import { documentText } from '../../openapi/gateway-document.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const samples = fileURLToPath(new URL('samples', import.meta.url));
const caches = join(root, 'node_modules/.cache');
mkdirSync(caches, { recursive: true });
// below node_modules, so that the sample finds its library as a partner's project does
const folder = mkdtempSync(join(caches, 'generated-'));
const file = join(folder, 'openapi.json');
writeFileSync(file, documentText);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const require = createRequire(import.meta.url);
const node = (...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words[0]}: ${stdout}${stderr}`);
  return stdout;
};

test('types of openapi-typescript narrow errors and accept unknown values', () => {
  const generator = join(require.resolve('openapi-typescript/package.json'), '../bin/cli.js');
  node(generator, file, '-o', join(folder, 'openapi.ts'));
  const sample = join(folder, 'client.ts');
  copyFileSync(join(samples, 'client.ts'), sample);
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'];
  const modules = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const compiler = join(require.resolve('typescript/package.json'), '../bin/tsc');
  const options = [...strict, ...modules, ...types, '--allowImportingTsExtensions'];
  node(compiler, ...options, sample);
  // by --eval, for Node strips the types of no file below node_modules
  node('--input-type=module-typescript', '--eval', executable(sample));
});

/** The sample without its types import, which is all that refers to another file. */
const executable = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/^import type .*$/m, '')
    .replace("'openapi-fetch'", JSON.stringify(import.meta.resolve('openapi-fetch')));

const python = pythonWith(['openapi-python-client==0.29.1']);
if (!python) process.stderr.write('\n*** TEST WILL BE SKIPPED: no openapi-python-client\n\n');

(python ? test : test.skip)(
  'models of openapi-python-client tell errors apart and accept unknown values',
  () => {
    const options = ['--path', file, '--meta', 'none', '--output-path', join(folder, 'transport')];
    const run = (...words: string[]) => spawnSync(python!, words, { encoding: 'utf8' });
    // the formatter of the generator is not installed, which it reports and survives
    const made = run('-m', 'openapi_python_client', 'generate', ...options);
    expect([made.status, made.stderr]).toEqual([0, expect.not.stringMatching(/unable|invalid/i)]);
    copyFileSync(join(samples, 'client.py'), join(folder, 'client.py'));
    const { status, stderr } = run(join(folder, 'client.py'));
    expect([status, stderr]).toEqual([0, '']);
  },
);
