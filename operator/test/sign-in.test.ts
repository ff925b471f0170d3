import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { OperatorService, SignInService } from '@pto/proto/operators/v1/operators';
import { type Handlers, implement } from '@pto/rpc';
import { type FakeGateway, runCommand, startGateway } from './operator-command.ts';

const dir = mkdtempSync(join(tmpdir(), 'operator-session-'));
const session = join(dir, 'session.json');
const me = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Ada',
  roles: ['support'],
  credential: 'token',
  expiresAt: '2027-01-01T00:00:00.000Z',
};

let gateway: FakeGateway;
beforeAll(async () => {
  const operators = {
    whoAmI: async () => me,
    listTokens: async () => {
      throw new Failure('OPERATOR_NOT_PERMITTED', 'This needs the role admin; Ada has support.');
    },
  } as unknown as Handlers<typeof OperatorService>;
  const signIn = { getSignIn: async () => ({}) } as unknown as Handlers<typeof SignInService>;
  const letters = {
    listDeadLetters: async ({ afterId }: { afterId: string }) => ({
      deadLetters: [],
      nextId: afterId === '' ? '1' : '',
    }),
  } as unknown as Handlers<typeof DeadLetterService>;
  gateway = await startGateway({
    operators: [implement(OperatorService, operators), implement(SignInService, signIn)],
    orders: [implement(DeadLetterService, letters)],
    custody: [implement(DeadLetterService, letters)],
    webhooks: [implement(DeadLetterService, letters)],
  });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(dir, { recursive: true, force: true });
});

const signedOut = { OPERATOR_TOKEN: '', OPERATOR_SESSION_FILE: session };

test('the token of OPERATOR_TOKEN is sent, and whoami shows whose it is', async () => {
  const { code, stdout } = await runCommand(gateway, ['whoami', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { id: me.id, name: 'Ada', roles: ['support'], credential: 'token', expires_at: me.expiresAt },
  ]);
  expect(gateway.calls.at(-1)).toMatchObject({ authorization: 'Bearer opt_of-a-test' });
});

test('without a credential a command fails and says how to sign in', async () => {
  const { code, stdout, stderr } = await runCommand(gateway, ['whoami'], signedOut);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'OPERATOR_NOT_AUTHENTICATED: Not signed in. Run `operator login`, or set OPERATOR_TOKEN to a personal token.\n',
  );
});

test('a session of another gateway is not sent', async () => {
  const other = { operatorUrl: 'https://other.example', idToken: 'eyJ', expiresAt: '2999-01-01' };
  writeFileSync(session, JSON.stringify(other));
  const before = gateway.calls.length;
  const { code, stderr } = await runCommand(gateway, ['whoami'], signedOut);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('The sign-in is for https://other.example.'),
  ]);
  expect(gateway.calls).toHaveLength(before);
  rmSync(session);
});

test('an expired session without a refresh token says to sign in again', async () => {
  const old = { operatorUrl: gateway.url, idToken: 'eyJ', expiresAt: '2020-01-01T00:00:00Z' };
  writeFileSync(session, JSON.stringify(old));
  const { code, stderr } = await runCommand(gateway, ['whoami'], signedOut);
  expect([code, stderr]).toEqual([
    1,
    'OPERATOR_NOT_AUTHENTICATED: The sign-in has expired. Run `operator login` again.\n',
  ]);
  rmSync(session);
});

test('while the provider does not respond, an expired session says so and stays', async () => {
  const old = {
    operatorUrl: gateway.url,
    issuer: 'http://127.0.0.1:9', // the discard port: nothing listens there
    clientId: 'cli',
    maxAgeSeconds: 3600,
    idToken: 'eyJ',
    refreshToken: 'of-a-test',
    expiresAt: '2020-01-01T00:00:00Z',
  };
  writeFileSync(session, JSON.stringify(old));
  const { code, stderr } = await runCommand(gateway, ['whoami'], signedOut);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^SERVICE_UNAVAILABLE: The OpenID provider http:..127.0.0.1:9 did not respond: .*Try again.\n$/,
    ),
  ]);
  expect(JSON.parse(readFileSync(session, 'utf8'))).toEqual(old);
  rmSync(session);
});

test('login without a configured provider says to use a personal token', async () => {
  const { code, stderr } = await runCommand(gateway, ['login'], signedOut);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('Set OPERATOR_TOKEN to a personal token.'),
  ]);
});

test('a missing role is exit code 1 with the role that is needed', async () => {
  const { code, stderr } = await runCommand(gateway, ['token', 'list']);
  expect([code, stderr]).toEqual([
    1,
    'OPERATOR_NOT_PERMITTED: This needs the role admin; Ada has support.\n',
  ]);
});

test('all calls of one command have the same request id', async () => {
  const before = gateway.calls.length;
  expect((await runCommand(gateway, ['dlq', 'list'])).code).toBe(0);
  const ids = gateway.calls.slice(before).map(({ requestId }) => requestId);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test('without an https URL of the gateway it is wrong usage', async () => {
  for (const url of ['', 'http://127.0.0.1:1']) {
    const { code, stderr } = await runCommand(gateway, ['whoami'], { OPERATOR_URL: url });
    expect([code, stderr]).toEqual([2, expect.stringContaining('OPERATOR_URL')]);
  }
});
