import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort, until } from '@pto/testing';

const tilt = new URL('../', import.meta.url).pathname;
const withinMs = 3_000;
const folder = mkdtempSync(join(tmpdir(), 'tilt-live-'));
const app = join(folder, 'app');
const programs = join(app, 'programs');

/** A service as small as one can be, in the folders of an image. */
const files: Record<string, string> = {
  'package.json': '{"type":"module"}',
  'programs/register.mjs': '',
  'programs/main.mjs': "import '../services/orders/src/main.ts';",
  'packages/words/word.ts': "export const word: string = 'first';",
  'proto/gen/word.js': '',
  'services/orders/src/main.ts': `
    import { createServer } from 'node:http';
    import { readFileSync } from 'node:fs';
    import { word } from '../../../packages/words/word.ts';
    const page = readFileSync(new URL('../page.html', import.meta.url), 'utf8');
    const server = createServer((_, answer) => answer.end(word + ' ' + page));
    server.listen(Number(process.env.HTTP_PORT), '127.0.0.1');
    process.on('SIGTERM', () => { console.log('drained'); process.exit(0); });`,
  'services/orders/page.html': 'page',
};

let node: ChildProcess;
let port: number;
let said = '';
beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) put(join(app, path), text);
  const dockerfile = readFileSync(join(tilt, 'live.Dockerfile'), 'utf8');
  const list = (word: string): string[] =>
    JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, 'm').exec(dockerfile)![1]!);
  const [, ...options] = list('ENTRYPOINT');
  const words = [...options, ...list('CMD')].map((one) => one.replace('/app/tilt/', tilt));
  port = await freePort();
  node = spawn(process.execPath, words, {
    cwd: programs,
    env: { PATH: process.env.PATH, HTTP_PORT: String(port) },
  });
  node.stdout?.on('data', (text) => {
    said += text;
  });
  node.stderr?.on('data', (text) => {
    said += text;
  });
  await until(async () => (await answer()) === 'first page', { what: 'the first start' });
});
afterAll(() => {
  node?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const answer = async () =>
  (await fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(1_000) })).text();

/** As Tilt does it: an archive of what has changed, unpacked where it runs. */
const replace = (path: string, text: string) => {
  const changed = mkdtempSync(join(folder, 'changed-'));
  put(join(changed, path), text);
  const archive = execFileSync('tar', ['-C', changed, '-cf', '-', path]);
  execFileSync('tar', ['-C', app, '-xf', '-'], { input: archive });
  node.kill('SIGHUP'); // "kill -HUP 1"
};

const changes: [path: string, text: string, then: string][] = [
  ['packages/words/word.ts', "export const word: string = 'second';", 'second page'],
  ['services/orders/page.html', 'leaf', 'second leaf'],
];

test.each(changes)('a changed %s', async (path, text, then) => {
  replace(path, text);
  await until(async () => (await answer()) === then, { deadlineMs: withinMs, what: then });
});

test('code that does not compile ends nothing: the next change runs', async () => {
  replace('packages/words/word.ts', 'export const word: string = ;');
  await until(() => said.includes('waiting for a change'), { what: 'a complaint' });
  expect(node.exitCode).toBeNull();
  replace('packages/words/word.ts', "export const word: string = 'third';");
  await until(async () => (await answer()) === 'third leaf', {
    deadlineMs: withinMs,
    what: 'the fixed code',
  });
});

test('the end of the pod reaches the program', async () => {
  said = '';
  node.kill('SIGTERM');
  await until(() => node.exitCode === 0, { what: 'the end' });
  expect(said).toContain('drained');
});
