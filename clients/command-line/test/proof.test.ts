import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { json, type Reply, startServer } from '../../typescript/test/a-server.ts';
import { aHome, runPto } from './pto-command.ts';

interface Vector {
  readonly input: { readonly file: object; readonly trusted_keys?: readonly unknown[] };
  readonly expect: { readonly verdict: string; readonly headline: string };
}

const vectors: Vector[] = JSON.parse(
  readFileSync(
    new URL('../../../verifiers/custody-verifier/vectors/good.json', import.meta.url),
    'utf8',
  ),
);
const vectorOf = (verdict: string, withKeys: boolean): Vector =>
  vectors.find(
    ({ input, expect: of }) =>
      of.verdict === verdict &&
      (input.trusted_keys !== undefined) === withKeys &&
      Object.keys(input).every((name) => name === 'file' || name === 'trusted_keys'),
  )!;
const proven = vectorOf('proven', true);
const consistent = vectorOf('consistent', false);

const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
let home: ReturnType<typeof aHome>;
let out: string;
let keys: string;
beforeEach(() => {
  home = aHome();
  out = join(home.environment.HOME!, 'proof.json');
  keys = join(home.environment.HOME!, 'keys.json');
});
afterEach(() => home.forget());

const proof = async (text: string, ...more: string[]) => {
  const reply: Reply = (response) => response.writeHead(200).end(text);
  const server = await startServer(json(200, { id }), reply);
  const settings = { PTO_API_KEY: 'svc_test_canary7', PTO_BASE_URL: server.baseUrl };
  const words = ['proof', id, '--out', out, ...more];
  const ended = await runPto({ ...home.environment, ...settings }, words);
  await server[Symbol.asyncDispose]();
  return { ...ended, requests: server.seen.length };
};

test('a proof that a trusted key signed is stored unchanged, proven and 0', async () => {
  const text = JSON.stringify(proven.input.file, null, 1);
  writeFileSync(keys, JSON.stringify({ keys: proven.input.trusted_keys }));
  const { code, stdout, stderr } = await proof(text, '--keys', keys);
  expect([code, stderr]).toEqual([0, `stored in ${out}\n`]);
  expect(stdout.split('\n')[0]).toBe(proven.expect.headline);
  expect(readFileSync(out, 'utf8')).toBe(text);
});

test('a proof without a trusted key is consistent and 3', async () => {
  const { code, stdout, stderr } = await proof(JSON.stringify(consistent.input.file));
  expect([code, stdout.split('\n')[0]]).toEqual([3, consistent.expect.headline]);
  expect(stderr).toMatch(/The keys are at http:\/\/[^/]+\/custody\/keys\.json: .*--keys FILE/);
});

test('a tampered proof is invalid and 1, in JSON, too', async () => {
  const text = JSON.stringify(consistent.input.file).replace(
    '"custody-proof/1"',
    '"custody-proof/0"',
  );
  const { code, stdout } = await proof(text, '--json');
  expect([code, JSON.parse(stdout).verdict]).toEqual([1, 'invalid']);
});

test('a keys file that is malformed is wrong usage, and nothing is sent', async () => {
  writeFileSync(keys, '{"keys": 1}');
  const { code, stderr, requests } = await proof('{}', '--keys', keys);
  expect([code, requests, stderr]).toEqual([2, 0, expect.stringContaining('error: --keys: ')]);
});
