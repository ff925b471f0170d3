import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { OperatorService } from '@pto/proto/operators/v1/operators';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { isToken, newToken } from '../src/identity/tokens.ts';
import {
  type OperatorsUnderTest,
  query,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

/** Two replicas on one database. */
let database: TestDatabase;
let one: OperatorsUnderTest;
let other: OperatorsUnderTest;
let admin: string;
beforeAll(async () => {
  database = await testDatabase('access');
  one = await startOperatorsService({ database });
  other = await startOperatorsService({
    database,
    environment: { OPERATORS_FAILED_AUTH_PER_MINUTE: '3' },
  });
  admin = await tokenOf(database);
});
afterAll(async () => {
  await one.stop();
  await other.stop();
  await database.drop();
});

const operators = (credential?: string, at = one) =>
  at.client(OperatorService, 'operators', credential);
const issue = async (more: object = {}) => {
  const request = { name: 'Grace', roles: ['support'], expiresInSeconds: 3600n, ...more };
  const { token, secret } = await operators(admin).issueToken(request);
  return { id: token!.id, secret, token: token! };
};
const refusal = (promise: Promise<unknown>): Promise<Failure> =>
  promise.then(
    () => {
      throw new Error('not refused');
    },
    (failure) => failure,
  );

test('a personal token has a prefix, 43 random characters and a checksum', () => {
  const token = newToken();
  expect(token).toMatch(/^opt_[0-9A-Za-z]{49}$/);
  expect(isToken(token)).toBe(true);
  const changed = token.slice(0, 10) + (token[10] === 'a' ? 'b' : 'a') + token.slice(11);
  expect(isToken(changed)).toBe(false);
});

test('a token identifies its holder with name, roles and expiry', async () => {
  const { id, secret } = await issue({ roles: ['auditor', 'support', 'support'] });
  const me = await operators(secret).whoAmI({});
  expect(me).toMatchObject({
    id,
    name: 'Grace',
    roles: ['support', 'auditor'],
    credential: 'token',
  });
  const seconds = (Date.parse(me.expiresAt) - Date.now()) / 1000;
  expect(Math.abs(seconds - 3600)).toBeLessThan(60);
});

test('the database holds the hash of a token, and no log line holds the token', async () => {
  const { id, secret } = await issue();
  await operators(secret).whoAmI({});
  const tables = ['operator_tokens', 'operator_actions', 'operator_outcomes', 'operators'];
  for (const table of tables) {
    const rows = await query(database.ownerUrl, `select * from ${table}`);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4, -6));
  }
  const [row] = await query<{ hash: Buffer; last4: string }>(
    database.ownerUrl,
    'select hash, last4 from operator_tokens where id = $1',
    [id],
  );
  expect(row!.hash).toHaveLength(32);
  expect(row!.last4).toBe(secret.slice(-4));
  expect(one.logged.join('\n')).not.toContain(secret.slice(4, -6));
});

test('a revocation at one replica holds for the next request at another', async () => {
  const { id, secret } = await issue();
  await operators(secret, other).whoAmI({});
  const { token } = await operators(admin, one).revokeToken({ id });
  expect(token).toMatchObject({ revokedBy: 'Ada Operator' });
  const failure = await refusal(operators(secret, other).whoAmI({}));
  expect(failure).toMatchObject({ kind: 'OPERATOR_NOT_AUTHENTICATED' });
  expect(failure.message).toContain('was revoked');
});

test('an expired token is rejected with what to do next', async () => {
  const { id, secret } = await issue();
  await query(
    database.ownerUrl,
    `update operator_tokens set expires_at = now() - interval '1 s' where id = $1`,
    [id],
  );
  const failure = await refusal(operators(secret).whoAmI({}));
  expect(failure.message).toBe(
    'This operator token has expired. Ask an administrator for a new one.',
  );
});

test('a token with a wrong checksum is rejected without a look-up', async () => {
  const secret = newToken();
  const misspelled = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  const client = new Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('lock table operator_tokens in access exclusive mode');
    // a look-up would wait for the table, and fail
    expect((await refusal(operators(misspelled).whoAmI({}))).message).toContain('checksum');
    const unknown = await refusal(operators(secret).whoAmI({}));
    expect(unknown.kind).not.toBe('OPERATOR_NOT_AUTHENTICATED');
  } finally {
    await client.end();
  }
});

test('no credential, an unknown token and an ID token without a provider are rejected', async () => {
  for (const credential of [undefined, newToken(), 'eyJhbGciOiJub25lIn0.e30.'])
    expect(await refusal(operators(credential).whoAmI({}))).toMatchObject({
      kind: 'OPERATOR_NOT_AUTHENTICATED',
    });
});

test('the use of a token is recorded to the minute', async () => {
  const { id, secret } = await issue();
  await operators(secret).whoAmI({});
  const { tokens } = await operators(admin).listTokens({});
  const listed = tokens.find((token) => token.id === id);
  expect(listed).toMatchObject({ createdBy: 'Ada Operator', revokedAt: '' });
  expect(listed!.lastUsedAt).toMatch(/:00\.000Z$/);
});

test('expiry, name and roles of a new token are bounded', async () => {
  const wrong = [
    { expiresInSeconds: 0n },
    { expiresInSeconds: 367n * 86_400n },
    { name: '' },
    { name: 'a\u0000b' },
    { name: 'a\nb' },
    { name: 'a\u009b31mb' },
    { name: 'a\u2028b' },
    { name: 'a\u202eb' },
    { roles: [] },
    { roles: ['root'] },
  ];
  for (const more of wrong)
    expect(await refusal(issue(more))).toMatchObject({ kind: 'VALIDATION' });
});

test('failed sign-ins are throttled, and a good token still passes', async () => {
  await operators(admin, other).whoAmI({});
  const kinds: string[] = [];
  for (let n = 0; n < 5; n++)
    kinds.push((await refusal(operators(newToken(), other).whoAmI({}))).kind);
  expect(kinds.filter((kind) => kind === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(2);
  await operators(admin, other).whoAmI({});
});
