import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort, until } from '@pto/testing';
import { credentialOf } from '../../../operator/src/session/credential.ts';
import { runWith } from '../../../operator/test/output/run-here.ts';
import { browse } from './browser.ts';
import { clientId, newKey, providerSettings, startProvider } from './openid-provider.ts';
import { type OperatorsUnderTest, startOperatorsService, tokenOf } from './operators-service.ts';

const program = new URL('../../../operator/src/main.ts', import.meta.url).pathname;
const dir = mkdtempSync(join(tmpdir(), 'sign-in-'));
let idTokenSeconds = 300;

let provider: Awaited<ReturnType<typeof startProvider>>;
let under: OperatorsUnderTest;
beforeAll(async () => {
  provider = await startProvider(await freePort(), await newKey('one'), () => idTokenSeconds);
  under = await startOperatorsService({
    environment: providerSettings(provider.issuer),
  });
});
afterAll(async () => {
  await under.stop();
  await provider.stop();
  rmSync(dir, { recursive: true });
});

const environment = (account: string): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS, ...inherited } = process.env;
  return {
    ...inherited,
    OPERATOR_URL: under.url,
    OPERATOR_CA_FILE: under.caFile,
    OPERATOR_TOKEN: '',
    OPERATOR_SESSION_FILE: join(dir, account, 'session.json'),
  };
};
const run = (account: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runWith({ ...environment(account), ...env }, words);
const sessionOf = (account: string) =>
  JSON.parse(readFileSync(join(dir, account, 'session.json'), 'utf8'));

/** Signs an account in: the command line in a process, its code confirmed in a browser. */
const login = async (account: string) => {
  const child = spawn(process.execPath, [program, 'login'], { env: environment(account) });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part) => {
    stdout += part;
  });
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const address = () => /Open (\S+)/.exec(stderr)?.[1];
  const url = await until(address, { what: 'the address to open' });
  const page = await browse(url, { login: account, password: 'any' });
  expect(page).toContain('Sign-in Success');
  return { code: await ended, stdout, stderr };
};

test('an operator signs in by a code in a browser, and commands carry the identity', async () => {
  const { code, stdout, stderr } = await login('ada');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Open http:\S+\nand confirm the code [A-Z]{4}-[A-Z]{4}\n/),
  ]);
  expect(stdout).toMatch(/name +ada@clinic\.example\nroles +support, admin\ncredential +oidc/);
  const session = join(dir, 'ada', 'session.json');
  expect(statSync(session).mode & 0o777).toBe(0o600);

  const made = await run('ada', ['org', 'create', '--name', 'Clinic', '--json']);
  expect([made.code, JSON.parse(made.stdout)]).toMatchObject([0, { name: 'Clinic' }]);
  const admin = await tokenOf(under.database, ['auditor'], 'auditor');
  const audit = await run(
    'ada',
    ['audit', 'list', '--operator', 'ada@clinic.example', '--action', 'CreateOrganization'],
    { OPERATOR_TOKEN: admin },
  );
  expect(audit.stdout).toMatch(
    /ada@clinic\.example +access\.v1\.AccessService\/CreateOrganization/,
  );
});

test('an ID token near its end is renewed, also by several at once', async () => {
  idTokenSeconds = 40; // less than what a command keeps in reserve
  await login('grace');
  const before = sessionOf('grace');
  // the provider accepts a refresh token once
  const credential = credentialOf({
    operatorUrl: under.url,
    token: '',
    sessionFile: join(dir, 'grace', 'session.json'),
  });
  await Promise.all([credential(), credential(), credential()]);
  expect(await run('grace', ['whoami'])).toMatchObject({ code: 0, stderr: '' });
  const after = sessionOf('grace');
  expect(after.refreshToken).not.toBe(before.refreshToken);
  idTokenSeconds = 300;
});

test('a refresh token that the provider rejects asks for a new sign-in', async () => {
  const ended = { ...sessionOf('grace'), refreshToken: 'nonsense' };
  writeFileSync(join(dir, 'grace', 'session.json'), JSON.stringify(ended));
  const { code, stderr } = await run('grace', ['whoami']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Run `operator login` again.')]);
});

test('who is in no group has no role, and an administrator blocks a person at once', async () => {
  await login('grace');
  const nobody = await login('mallory');
  expect([nobody.code, nobody.stderr]).toEqual([
    1,
    expect.stringContaining('mallory@clinic.example has no role'),
  ]);
  const listed = await run('ada', ['operator', 'list', '--json']);
  const people = JSON.parse(listed.stdout) as { id: string; name: string; roles: string[] }[];
  expect(people.map(({ name, roles }) => [name, roles])).toEqual([
    ['ada@clinic.example', ['support', 'admin']],
    ['grace@clinic.example', ['support']],
    ['mallory@clinic.example', []],
  ]);
  const { id } = people.find(({ name }) => name === 'grace@clinic.example')!;
  expect((await run('grace', ['whoami'])).code).toBe(0);
  expect((await run('ada', ['operator', 'block', id])).code).toBe(0);
  expect(await run('grace', ['whoami'])).toMatchObject({
    code: 1,
    stderr: 'OPERATOR_NOT_AUTHENTICATED: An administrator blocked this operator.\n',
  });
  expect((await run('ada', ['operator', 'unblock', id])).code).toBe(0);
  expect((await run('grace', ['whoami'])).code).toBe(0);
});

test('after logout the session is gone, and the provider rejects its refresh token', async () => {
  const before = sessionOf('grace');
  const { code, stdout, stderr } = await run('grace', ['logout', '--json']);
  expect([code, JSON.parse(stdout), stderr]).toEqual([0, { signed_out: true }, '']);
  expect((await run('grace', ['whoami'])).stderr).toContain('Not signed in.');
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: before.refreshToken,
    client_id: clientId,
  });
  const response = await fetch(`${provider.issuer}/token`, { method: 'POST', body });
  expect(response.status).toBe(400);
});
