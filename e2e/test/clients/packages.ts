/** The packages, installed in clean folders, give the verdicts of the vectors. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { compile, hasPython, npmProject, pythonProject, uv } from './artifacts.ts';
import { run } from './program.ts';
import { nodePrograms, pythonVersions } from './versions.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = here('../../../');
/** With CLIENT_VERSIONS=all npm and uv bring the versions. */
const everyVersionMaxMs = 300_000;

interface Vector {
  readonly name: string;
  readonly input: { readonly seen?: unknown; readonly file?: unknown };
  readonly expect: { readonly valid?: boolean; readonly reason?: string };
}

const vectorsOf = (name: string): Vector[] => {
  const place = join(root, 'verifiers', name, 'vectors');
  const files = readdirSync(place).filter((file) => file !== 'decision-31.json');
  return files.flatMap((file) => JSON.parse(readFileSync(join(place, file), 'utf8')));
};

/**
 * Declares the tests of the packages.
 * @param folder for projects.
 * @param built the paths of the packages.
 */
export const testPackages = (folder: string, built: () => readonly string[]): void => {
  test(
    'the npm packages judge every vector on Node 20 and newer, and their types compile',
    async () => {
      const tarballs = built().filter((path) => path.endsWith('.tgz'));
      expect(tarballs).toHaveLength(3);
      const cwd = await npmProject(join(folder, 'npm'), tarballs);
      copyFileSync(here('judge-vectors.js'), join(cwd, 'judge-vectors.js'));
      writeFileSync(join(cwd, 'types.ts'), types);
      await compile(cwd, process.env.CLIENT_VERSIONS === 'all' ? 'javascript' : 'native');
      for (const node of await nodePrograms(folder)) {
        const words = ['judge-vectors.js', 'partner-transport-orders'];
        const judged = JSON.parse(await run({ cwd, env: {} }, node, ...words));
        expect(judged).toMatchObject({ wrong: [] });
        expect(judged.deliveries).toBe(vectorsOf('webhook-verifier').length);
        expect(judged.proofs).toBe(vectorsOf('custody-verifier').length);
        const bin = join(cwd, 'node_modules/@pto/custody-verifier/dist/bin/custody-verify.js');
        writeFileSync(join(cwd, 'proof.json'), '{}');
        expect(spawnSync(node, [bin, join(cwd, 'proof.json')]).status).toBe(1);
      }
    },
    everyVersionMaxMs,
  );

  /** Members that are not exported, or exported without types, do not compile. */
  const types = `
import { type ProofVerdict, verifyProof } from '@pto/custody-verifier';
import { type Verdict, verify } from '@pto/webhook-verifier';
import { Client, type Order, type Page } from 'partner-transport-orders';

export const judged: Promise<ProofVerdict> = verifyProof('{}');
export const verdict: Promise<Verdict> = verify({ rawBody: '', header: '', secrets: ['a'] });
const { orders } = new Client({ baseUrl: 'https://a.example', apiKey: 'k' });
export const pages: AsyncIterable<Page<Order>> = orders.list({ status: 'SEALED' }).pages();
// @ts-expect-error a request takes known statuses only (decision 63)
orders.list({ status: 'PAUSED' });
`;

  const testPython = hasPython ? test : test.skip;

  testPython(
    'the wheel judges every vector, and so does its program',
    async () => {
      const wheel = built().find((path) => path.endsWith('.whl'))!;
      const proofs = vectorsOf('custody-verifier').filter(({ input }) => !input.seen);
      const input = JSON.stringify({ deliveries: vectorsOf('webhook-verifier'), proofs });
      for (const version of await pythonVersions(uv!)) {
        const python = await pythonProject(join(folder, `venv-${version}`), wheel, version);
        const judged = spawnSync(python, [here('judge_vectors.py')], { input, encoding: 'utf8' });
        expect([judged.stdout, judged.stderr]).toEqual(['[]\n', '']);
        const proof = join(folder, 'proof.json');
        writeFileSync(proof, '{}');
        expect(spawnSync(join(python, '../custody-verify'), [proof]).status).toBe(1);
        if (process.env.CLIENT_VERSIONS === 'all')
          await run({ cwd: join(root, 'clients/python/test'), env: {} }, python, '-m', 'unittest');
      }
    },
    everyVersionMaxMs,
  );

  const hasPhp = hasPython && spawnSync('php', ['--version']).status === 0;
  const testPhp = hasPhp ? test : test.skip;

  testPhp(
    'the zip of the PHP verifier loads by its autoload rule and judges every vector',
    async () => {
      const zip = built().find((path) => path.endsWith('.zip'))!;
      const cwd = join(folder, 'vendor');
      await run({ cwd: folder, env: {} }, 'python3', '-m', 'zipfile', '-e', zip, cwd);
      const { autoload, name } = JSON.parse(readFileSync(join(cwd, 'composer.json'), 'utf8'));
      expect(name).toBe('partner-transport-orders/webhook-verifier');
      const loads = autoload.files
        .map((file: string) => `require '${join(cwd, file)}';`)
        .join('\n');
      writeFileSync(join(cwd, 'judge.php'), `<?php\ndeclare(strict_types=1);\n${loads}\n${php}`);
      const vectors = vectorsOf('webhook-verifier');
      const input = JSON.stringify(vectors);
      const judged = spawnSync('php', ['-n', join(cwd, 'judge.php')], { input, encoding: 'utf8' });
      const wanted = vectors.map(({ expect: of }) => (of.valid ? 'valid' : of.reason));
      expect(JSON.parse(judged.stdout)).toEqual(wanted);
    },
  );
};

const php = `
$judged = [];
foreach (json_decode(stream_get_contents(STDIN)) as $vector) {
    $given = $vector->input;
    $body = is_string($given->body) ? $given->body : base64_decode($given->body->base64, true);
    try {
        verifyWebhook($body, $given->header ?? null, $given->secrets, $given->now);
        $judged[] = 'valid';
    } catch (WebhookRefused $refused) {
        $judged[] = $refused->getMessage();
    }
}
echo json_encode($judged);
`;
