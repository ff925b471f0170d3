import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parseNote, verifyProof } from '../src/index.ts';
import { cosign, vkeyOfWitness } from '../src/note/sign-note.ts';
import { askPython, python } from './a-python.ts';
import { hostile } from './forgeries/hostile.ts';
import type { Vector } from './forgeries/vector.ts';
import { proof } from './samples/a-proof.ts';
import { witnessKey } from './samples/a-signed-log.ts';

const folder = new URL('../vectors/', import.meta.url);
const all = readdirSync(folder)
  .filter((name) => name !== 'decision-31.json')
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Vector[]);

/** custody_verify.py takes no earlier states. */
const shared = [...all, ...hostile].filter(({ input }) => !input.seen);
const textOf = ({ input: { file } }: Vector) =>
  typeof file === 'string' ? file : JSON.stringify(file);

const program = `
import json, sys
asked = json.load(sys.stdin)
if not asked["cryptography"]:
    sys.modules["cryptography"] = None
import custody_verify
def judge(one):
    try:
        return list(custody_verify.verify(one["text"], one["trusted"], one["witnesses"], one["quorum"]))
    except Exception as error:
        return ["invalid"]
json.dump([judge(one) for one in asked["files"]], sys.stdout)
`;

const askVerdicts = (vectors: readonly Vector[], cryptography: boolean) =>
  askPython(program, {
    cryptography,
    files: vectors.map((vector) => ({
      text: textOf(vector),
      trusted: vector.input.trusted_keys ?? [],
      witnesses: vector.input.witnesses?.vkeys ?? null,
      quorum: vector.input.witnesses?.quorum ?? null,
    })),
  }) as string[][];

const work = mkdtempSync(join(tmpdir(), 'verify-py-'));
afterAll(() => rmSync(work, { recursive: true }));

const script = new URL('../python/custody_verify.py', import.meta.url).pathname;
const run = (file: unknown, ...args: string[]) => {
  const path = join(work, 'proof.json');
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file));
  const options = { encoding: 'utf8', env: { PYTHONIOENCODING: 'utf8' } } as const;
  return spawnSync(python!, ['-B', script, path, ...args], options);
};

(python ? describe : describe.skip)('custody_verify.py', () => {
  test('gives the verdict, headline and limit of the verifier on every vector', async () => {
    expect(shared.length).toBeGreaterThan(240);
    const wanted = await Promise.all(
      shared.map(async (vector) => {
        const { trusted_keys: trustedKeys, witnesses } = vector.input;
        const judged = await verifyProof(textOf(vector), { trustedKeys, witnesses });
        const { verdict, headline, limit } = judged;
        return [vector.name, verdict, ...(verdict === 'invalid' ? [] : [headline, limit])];
      }),
    );
    const found = askVerdicts(shared, true);
    expect(shared.map(({ name }, n) => [name, ...found[n]!])).toEqual(wanted);
    const verdicts = new Set(wanted.map(([, verdict]) => verdict));
    expect(verdicts).toEqual(new Set(['proven', 'consistent', 'invalid']));
  });

  test('proves nothing without the package cryptography', () => {
    const found = askVerdicts(shared, false);
    expect(new Set(found.map(([verdict]) => verdict))).toEqual(new Set(['consistent', 'invalid']));
  });

  const key = proof.keys[0]!.vkey;
  const keysFile = join(work, 'keys.json');
  const witness = vkeyOfWitness(witnessKey);
  const { text } = parseNote(proof.log!.checkpoint);
  const line = cosign(text, 1_768_475_000, witnessKey);
  const cosigned = { ...proof, log: { ...proof.log, checkpoint: proof.log!.checkpoint + line } };
  const head = (n: number, as = n) => `${as}:${proof.entries[n - 1]!.event_hash}`;
  const longer = head(proof.entries.length, proof.entries.length + 1);
  writeFileSync(keysFile, JSON.stringify({ origin: 'x', keys: proof.keys }));
  test.each([
    ['0 for proven', 0, proof, ['--key', key]],
    ['0 for proven by keys.json', 0, proof, ['--keys', keysFile]],
    ['3 for consistent', 3, proof, []],
    ['3 for consistent, though a key is given', 3, { ...proof, log: null }, ['--key', key]],
    ['1 for invalid', 1, { ...proof, count: 4 }, ['--key', key]],
    ['0 for proven and cosigned', 0, cosigned, ['--key', key, '--witness', witness]],
    ['3 for too few witnesses', 3, proof, ['--key', key, '--witness', witness]],
    ['2 for a broken key', 2, proof, ['--key', 'x']],
    ['2 for a quorum without witnesses', 2, proof, ['--quorum', '1']],
    ['2 for a quorum that is too large', 2, proof, ['--witness', witness, '--quorum', '2']],
    ['0 for a seen head that it contains', 0, proof, ['--key', key, '--seen-head', head(2)]],
    ['0 for a seen genesis', 0, proof, ['--key', key, '--seen-head', `0:${proof.genesis.hash}`]],
    ['1 for a seen head of more entries', 1, proof, ['--key', key, '--seen-head', longer]],
    ['1 for a seen head of another hash', 1, proof, ['--key', key, '--seen-head', head(2, 3)]],
    ['2 for a seen head without a hash', 2, proof, ['--seen-head', '2']],
    ['2 for an unknown option', 2, proof, ['--trust']],
  ])('exits with %s', (_, status, file, args) => {
    const found = run(file, ...args);
    expect([found.status, found.stdout.split(/[:,]/)[0]]).toEqual([
      status,
      { 0: 'Proven', 3: 'Consistent', 1: 'Invalid', 2: '' }[status],
    ]);
  });
});
