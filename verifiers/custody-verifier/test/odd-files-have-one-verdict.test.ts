import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseArguments, WrongUsage } from '../src/bin/arguments.ts';
import { judgeFile } from '../src/bin/judge-file.ts';
import { type TrustedKey, verifyProof } from '../src/index.ts';
import { askPython, python } from './a-python.ts';
import { inBrowser } from './in-browser.ts';
import { type Odd, oddFiles } from './odd/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'odd-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const stored = oddFiles.map(({ proof, keys }, n) => {
  const paths = [join(folder, `${n}.json`), join(folder, `${n}.keys.json`)] as const;
  writeFileSync(paths[0], proof);
  writeFileSync(paths[1], keys);
  return paths;
});

type Verify = typeof verifyProof;

/** Without a verdict of the commands: the oddity is in a file that only they read. */
const judgedBy = async (verify: Verify, { proof, keys, isOfKeysFile, verdict }: Odd) => {
  if (isOfKeysFile) return verdict;
  const rows = JSON.parse(Buffer.from(keys).toString()).keys as TrustedKey[];
  const bytes = (await verify(proof, { trustedKeys: rows })).verdict;
  const asText = Buffer.from(proof).toString();
  if (!Buffer.from(asText).equals(proof)) return bytes;
  const text = (await verify(asText, { trustedKeys: rows })).verdict;
  return text === bytes ? text : `${bytes} as bytes, ${text} as text`;
};

const byCommand = async ([proof, keys]: readonly [string, string]): Promise<string> => {
  try {
    const given = parseArguments([proof, '--keys', keys]);
    return given === 'help' ? 'help' : (await judgeFile(given)).verdict;
  } catch (error) {
    if (error instanceof WrongUsage) return 'invalid';
    throw error;
  }
};

const program = `
import contextlib, io, json, sys
import custody_verify
def judgeFile(paths):
    sys.argv = ["custody_verify.py", paths[0], "--keys", paths[1]]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = custody_verify.main()
        except SystemExit as ended:
            code = ended.code
    return {0: "proven", 3: "consistent", 1: "invalid", 2: "invalid"}.get(code, str(code))
asked = json.load(sys.stdin)
json.dump([judgeFile(paths) for paths in asked], sys.stdout)
`;

const wanted = oddFiles.map(({ name, verdict }) => [name, verdict]);
const named = (verdicts: readonly string[]) => oddFiles.map(({ name }, n) => [name, verdicts[n]]);
const inTurn = async <T>(ask: (odd: Odd, n: number) => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  for (const [n, odd] of oddFiles.entries()) all.push(await ask(odd, n));
  return all;
};

test('the odd files are many, and of both verdicts', () => {
  expect(oddFiles.length).toBeGreaterThan(130);
  expect(oddFiles.filter(({ verdict }) => verdict === 'proven').length).toBeGreaterThan(40);
  expect(new Set(oddFiles.map(({ name }) => name)).size).toBe(oddFiles.length);
});

test('the library gives each odd file its verdict, as bytes and as text', async () => {
  expect(named(await inTurn((odd) => judgedBy(verifyProof, odd)))).toEqual(wanted);
});

test('the modules of the page /verify give each odd file the same verdict', async () => {
  const page = await inBrowser({ crypto });
  expect(named(await inTurn((odd) => judgedBy(page.verifyProof, odd)))).toEqual(wanted);
});

test('custody-verify gives each odd file the same verdict, or no verdict', async () => {
  expect(named(await inTurn((_, n) => byCommand(stored[n]!)))).toEqual(wanted);
});

(python ? test : test.skip)(
  'custody_verify.py gives each odd file the same verdict, or no verdict',
  () => {
    expect(named(askPython(program, stored) as string[])).toEqual(wanted);
  },
);
