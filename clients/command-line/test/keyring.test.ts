/** Where `pto login` stores a key: in the system's keyring, else in a file. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { json, startServer } from '../../typescript/test/a-server.ts';
import { aHome, hasKeyring, runPto, withKeyring } from './pto-command.ts';

const key = 'svc_test_canary7';
const pong = json(200, { status: 'ok', organization: 'Demo Clinic', environment: 'test' });
if (!hasKeyring)
  process.stderr.write('\n*** TESTS WILL BE SKIPPED: no gnome-keyring and D-Bus\n\n');
const testKeyring = hasKeyring ? test : test.skip;

let home: ReturnType<typeof aHome>;
let server: Awaited<ReturnType<typeof startServer>>;
beforeEach(async () => {
  home = aHome();
  server = await startServer(pong);
});
afterEach(async () => {
  home.forget();
  await server[Symbol.asyncDispose]();
});

const login = () => ['login', '--base-url', server.baseUrl];
const stored = () => JSON.parse(readFileSync(home.credentials, 'utf8'));
/** The bytes of every file in the home folder, from which an ending keyring removes its own. */
const files = () =>
  readdirSync(home.environment.HOME!, { recursive: true, encoding: 'utf8' })
    .map((name) => join(home.environment.HOME!, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join();

testKeyring('the keyring keeps the key, no file has it, and later commands use it', async () => {
  const { code, stdout, stderr } = await withKeyring(home.environment, login(), key);
  expect([code, stdout]).toEqual([0, expect.stringContaining('the keyring of this system')]);
  expect(stderr).not.toContain('The key is in a file');
  expect(stored()).toEqual({ keyring: true });
  expect(files()).not.toContain(key);
  const pinged = await withKeyring(home.environment, ['ping']);
  expect([pinged.code, pinged.stdout]).toEqual([0, expect.stringContaining('Demo Clinic')]);
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill(`Bearer ${key}`),
  );
});

testKeyring(
  'without the keyring its key is not used, and the message says what to do',
  async () => {
    await withKeyring(home.environment, login(), key);
    const { code, stderr } = await runPto(home.environment, ['ping']);
    expect([code, server.seen.length]).toEqual([2, 1]);
    expect(stderr).toMatch(/^error: The stored key cannot be read, because .*pto login again.*\n$/);
    const left = await runPto(home.environment, ['logout']);
    expect([left.code, left.stderr]).toEqual([1, expect.stringContaining('was not removed')]);
    expect(stored()).toEqual({ keyring: true });
  },
);

testKeyring('logout removes the key from the keyring', async () => {
  await withKeyring(home.environment, login(), key);
  const before = stored();
  expect((await withKeyring(home.environment, ['logout'])).code).toBe(0);
  expect(existsSync(home.credentials)).toBe(false);
  // as a file of before that was restored
  await runPto(home.environment, login(), key);
  const { writePrivate } = await import('../src/private-file.ts');
  writePrivate(home.credentials, before);
  const { code, stderr } = await withKeyring(home.environment, ['ping']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('No API key: execute pto login')]);
});

test('without a keyring the key is in a file for its owner alone, and one sentence says so', async () => {
  const { code, stdout, stderr } = await runPto(home.environment, login(), key);
  expect([code, stdout]).toEqual([0, expect.stringContaining(home.credentials)]);
  expect(stderr).toMatch(
    /^The key is in a file that you alone can read, because the keyring cannot be used: .+\n$/,
  );
  expect(stderr).not.toContain(key);
  expect(stored()).toEqual({ baseUrl: server.baseUrl, apiKey: key });
  expect((await runPto(home.environment, ['ping'])).code).toBe(0);
});

test('a keyring that does not respond is given up after 30 s', async () => {
  const bus = join(home.environment.HOME!, 'bus');
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(bus, resolve));
  const environment = { ...home.environment, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` };
  const { code, stderr } = await runPto(environment, login(), key);
  silent.close();
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('because the keyring did not respond within 30 s.'),
  ]);
}, 60_000);
