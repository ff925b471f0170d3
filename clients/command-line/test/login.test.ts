import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { error, json, startServer } from '../../typescript/test/a-server.ts';
import { aHome, atTerminal, runPto, startPto } from './pto-command.ts';

const key = 'svc_test_canary7';
const pong = json(200, { status: 'ok', organization: 'Demo Clinic', environment: 'test' });
const question = { question: 'API key for', answer: `${key}\r` };

const inFile = /^The key is in a file that you alone can read, because the keyring .*\n$/;

let home: ReturnType<typeof aHome>;
let server: Awaited<ReturnType<typeof startServer>>;
const login = () => ['login', '--base-url', server.baseUrl];

beforeEach(async () => {
  home = aHome();
  server = await startServer(pong);
});
afterEach(async () => {
  home.forget();
  await server[Symbol.asyncDispose]();
});

const stored = () => JSON.parse(readFileSync(home.credentials, 'utf8'));

test('a key from standard input is checked and stored for its owner alone', async () => {
  const { code, stdout, stderr } = await runPto(home.environment, login(), `${key}\n`);
  expect([code, stderr]).toEqual([0, expect.stringMatching(inFile)]);
  expect(stdout).toMatch(/^organization +Demo Clinic\nenvironment +test\nstored +\//);
  expect(stored()).toEqual({ baseUrl: server.baseUrl, apiKey: key });
  expect(statSync(home.credentials).mode & 0o777).toBe(0o600);
  expect(statSync(home.config).mode & 0o777).toBe(0o700);
  expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${key}`);
});

test('a key that is not UTF-8 is wrong usage, and nothing of it is shown', async () => {
  const { child, ended } = startPto(home.environment, login());
  child.stdin.end(Buffer.from(`${key}\xfc\n`, 'latin1'));
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('Standard input is not UTF-8: line 1,'),
  ]);
  expect(stderr).not.toContain(key);
  expect(server.seen).toEqual([]);
});

test('a file that others could read is replaced by one that they cannot', async () => {
  await runPto(home.environment, login(), key);
  chmodSync(home.credentials, 0o644);
  await runPto(home.environment, login(), key);
  expect(statSync(home.credentials).mode & 0o777).toBe(0o600);
});

test('a key that is typed at the question is stored and never shown', async () => {
  const { code, stdout } = await atTerminal(home.environment, login(), question);
  expect(code).toBe(0);
  expect(stdout).not.toContain(key);
  expect(stored()).toEqual({ baseUrl: server.baseUrl, apiKey: key });
});

test('Ctrl-C at the question ends with 130 and stores nothing', async () => {
  const answer = { ...question, answer: '\u0003' };
  expect((await atTerminal(home.environment, login(), answer)).code).toBe(130);
  expect(existsSync(home.credentials)).toBe(false);
});

test('the end of the input at the question is wrong usage', async () => {
  const answer = { ...question, answer: '\u0004' };
  expect((await atTerminal(home.environment, login(), answer)).code).toBe(2);
});

test.each(['', '\n', 'x'.repeat(5000)])(
  'standard input without a key is wrong usage',
  async (text) => {
    const { code, stdout, stderr } = await runPto(home.environment, login(), text);
    expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(server.seen).toEqual([]);
  },
);

test('standard input that does not end is wrong usage after 10 s', async () => {
  const { child, ended } = startPto(home.environment, login());
  const { code, stderr } = await ended;
  child.stdin.destroy();
  expect([code, stderr]).toEqual([
    2,
    'error: Standard input did not end within 10 s: write the key to it.\n',
  ]);
});

test('a key that the API rejects is not stored', async () => {
  const rejecting = await startServer(error(401, 'UNAUTHENTICATED'));
  const words = ['login', '--base-url', rejecting.baseUrl];
  const { code, stderr } = await runPto(home.environment, words, key);
  await rejecting[Symbol.asyncDispose]();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: 401 UNAUTHENTICATED: .*pto login.*\n$/);
  expect(stderr).not.toContain(key);
  expect(existsSync(home.credentials)).toBe(false);
});

test('without an API to log in to, login says which setting is missing', async () => {
  const { code, stderr } = await runPto(home.environment, ['login'], key);
  expect([code, stderr]).toEqual([2, 'error: Which API? Give --base-url, or set PTO_BASE_URL.\n']);
});

test('a base URL that would send the key readable is wrong usage', async () => {
  const words = ['login', '--base-url', 'http://partner.example/api/partner/v1'];
  const { code, stderr } = await runPto(home.environment, words, key);
  expect([code, stderr]).toEqual([2, expect.stringContaining('baseUrl: http:')]);
});

test('logout removes the key', async () => {
  await runPto(home.environment, login(), key);
  expect((await runPto(home.environment, ['logout'])).stderr).toBe('The stored key was removed.\n');
  expect(existsSync(home.credentials)).toBe(false);
  expect((await runPto(home.environment, ['logout'])).stderr).toBe('No key was stored.\n');
});

test('a folder that cannot be written is wrong settings', async () => {
  mkdirSync(home.credentials, { recursive: true });
  const { code, stderr } = await runPto(home.environment, login(), key);
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written')]);
  expect(stderr).not.toContain(key);
});
