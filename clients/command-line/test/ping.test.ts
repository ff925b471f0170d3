import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { freePort } from '@pto/testing';
import { endless, error, json, startServer } from '../../typescript/test/a-server.ts';
import { aHome, runPto } from './pto-command.ts';

const key = 'svc_test_canary7';
const hostile = 'Clinic\u001b[2J\u202e\u2028\nrow';
const organization = 'Clinic\\u001b[2J\\u202e\\u2028\\u000arow';

let home: ReturnType<typeof aHome>;
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer(
    json(200, { status: 'ok', organization: hostile, environment: 'test' }),
  );
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  home = aHome();
});
afterEach(() => home.forget());

/** Runs `pto ping` with these settings. */
const ping = (settings: NodeJS.ProcessEnv, ...words: string[]) =>
  runPto({ ...home.environment, ...settings }, ['ping', ...words]);
const set = () => ({ PTO_API_KEY: key, PTO_BASE_URL: server.baseUrl });

const store = (text: string) => {
  mkdirSync(home.config, { recursive: true });
  writeFileSync(home.credentials, text, { mode: 0o600 });
};
const storeKey = (baseUrl = server.baseUrl) => store(JSON.stringify({ baseUrl, apiKey: key }));

test('prints the organization and the environment, hostile characters escaped', async () => {
  const { code, stdout, stderr } = await ping(set());
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`organization  ${organization}\nenvironment   test\n`);
});

test('--json prints one JSON document', async () => {
  const { stdout } = await ping(set(), '--json');
  expect(JSON.parse(stdout)).toEqual({ organization: hostile, environment: 'test' });
  expect(stdout).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}](?<!\n)/u);
});

test('a response without an end is an error', async () => {
  const other = await startServer(endless);
  const { code, stderr } = await ping({ ...set(), PTO_BASE_URL: other.baseUrl });
  await other[Symbol.asyncDispose]();
  expect([code, stderr]).toEqual([1, expect.stringContaining('larger than 268435456 bytes')]);
});

test('the key of the environment wins over the stored one', async () => {
  storeKey('http://127.0.0.1:1/api/partner/v1');
  expect((await ping(set())).code).toBe(0);
});

test('the stored key is used without settings', async () => {
  storeKey();
  expect((await ping({})).code).toBe(0);
  expect((await ping({ PTO_BASE_URL: server.baseUrl })).code).toBe(0);
});

test('the stored key is sent to no other server', async () => {
  storeKey('https://other.example/api/partner/v1');
  const { length } = server.seen;
  const { code, stderr } = await ping({ PTO_BASE_URL: server.baseUrl });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('The stored key is for https://other'),
  ]);
  expect(server.seen).toHaveLength(length);
});

test.each([
  [
    'no settings',
    {},
    'error: No API key: execute pto login, or set PTO_API_KEY and PTO_BASE_URL.\n',
  ],
  [
    'a key alone',
    { PTO_API_KEY: key },
    'error: PTO_API_KEY is set and PTO_BASE_URL is not: set both.\n',
  ],
])('%s is exit code 2 with what to do next', async (_, settings, message) => {
  expect(await ping(settings)).toEqual({ code: 2, stdout: '', stderr: message });
});

test.each([0o640, 0o604])('a stored key that others can read (%o) is not used', async (mode) => {
  storeKey();
  chmodSync(home.credentials, mode);
  const { code, stderr } = await ping({});
  expect([code, stderr]).toEqual([2, expect.stringContaining(`chmod 600 '${home.credentials}'`)]);
});

test('a malformed file is reported without its content', async () => {
  store(`{"apiKey": "${key}"`);
  const { code, stderr } = await ping({});
  expect(code).toBe(2);
  expect(stderr).toBe(`error: ${home.credentials} cannot be read: it is not JSON.\n`);
});

test('no connection is exit code 1, reported once with what to do next', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/api/partner/v1`;
  const settings = { ...set(), PTO_BASE_URL: nobody };
  const { code, stderr } = await ping(settings);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: .*ECONNREFUSED.*Check the base URL and the network.*\n$/);
});

test('a response that forbids is exit code 1', async () => {
  const forbidding = await startServer(error(403, 'ORG_NOT_ENABLED'));
  const { code, stderr } = await ping({ ...set(), PTO_BASE_URL: forbidding.baseUrl });
  await forbidding[Symbol.asyncDispose]();
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: 403 ORG_NOT_ENABLED.*\n$/)]);
});

test.each([['pong'], ['ping', '--loud'], ['ping', 'x']])('%j is wrong usage', async (...words) => {
  expect((await runPto(home.environment, words)).code).toBe(2);
});

test('--version prints the version of the client', async () => {
  expect(await runPto(home.environment, ['--version'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
});
