import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recentSite } from '../../../site/src/recent-site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'npm-packages-'));
const project = join(folder, 'project');
const names = ['partner-transport-orders', '@pto/webhook-verifier', '@pto/custody-verifier'];
let tarballs: readonly string[] = [];

const run = (cwd: string, program: string, ...words: string[]) => {
  const { NODE_OPTIONS, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  return { status, text: `${stdout}${stderr}` };
};

beforeAll(async () => {
  mkdirSync(project);
  const site = recentSite();
  await site.build();
  const downloads = join(site.folder, 'downloads');
  const isTarball = (file: string) => file.endsWith('.tgz');
  tarballs = readdirSync(downloads)
    .filter(isTarball)
    .map((name) => join(downloads, name));
  expect(tarballs).toHaveLength(names.length);
  writeFileSync(join(project, 'package.json'), '{"private": true}');
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  expect(run(project, 'npm', ...words, ...tarballs)).toMatchObject({ status: 0 });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test.each([0, 1, 2])('compilers of every kind find the types of package %d', (n) => {
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  const words = ['--format', 'ascii', '--no-emoji', '--no-definitely-typed'];
  const judged = run(folder, process.execPath, attw, tarballs[n]!, ...words);
  expect([judged.status, judged.text]).toEqual([0, expect.stringContaining('No problems found')]);
});

/** As on Node 20.12, where `require` of an ES module throws. */
const asNode20 = '--no-experimental-require-module';
const proof = JSON.stringify(
  (
    JSON.parse(
      readFileSync(join(root, 'verifiers/custody-verifier/vectors/good.json'), 'utf8'),
    ) as { input: { file: unknown } }[]
  )[0]!.input.file,
);

test('require and import give the same exports, and both judge a proof', () => {
  writeFileSync(join(project, 'proof.json'), proof);
  const judge = `const { readFileSync } = process.getBuiltinModule('node:fs');
const [client, webhooks, custody] = loaded;
const file = readFileSync('proof.json');
const verdicts = await Promise.all([client, custody].map((one) => one.verifyProof(file)));
console.log(JSON.stringify({
  exports: loaded.map((one) => Object.keys(one).filter((name) => name !== 'default').sort()),
  kind: new client.Client({ baseUrl: 'https://a.example', apiKey: 'k' }).constructor.name,
  verify: typeof webhooks.verify,
  verdicts: verdicts.map(({ verdict }) => verdict),
}));`;
  const required = `(async () => { const loaded = ${JSON.stringify(names)}.map((name) => require(name)); ${judge} })()`;
  const imported = `const loaded = await Promise.all(${JSON.stringify(names)}.map((name) => import(name))); ${judge}`;
  writeFileSync(join(project, 'a.cjs'), required);
  writeFileSync(join(project, 'a.mjs'), imported);
  const [cjs, esm] = ['a.cjs', 'a.mjs'].map((file) =>
    run(project, process.execPath, asNode20, file),
  );
  expect([cjs!.status, esm!.status]).toEqual([0, 0]);
  expect(cjs!.text).toBe(esm!.text);
  expect(JSON.parse(cjs!.text)).toMatchObject({
    kind: 'Client',
    verify: 'function',
    verdicts: ['consistent', 'consistent'],
  });
});

test('the programs of the packages start', () => {
  for (const name of ['pto', 'custody-verify']) {
    const program = join(project, 'node_modules/.bin', name);
    expect(run(project, process.execPath, asNode20, program, '--help')).toMatchObject({
      status: 0,
    });
  }
});
