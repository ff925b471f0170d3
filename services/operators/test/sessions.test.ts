import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unattendedHeader } from '@pto/proto/headers';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { type TestDatabase, testDatabase } from '@pto/testing';
import {
  type OperatorsUnderTest,
  query,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

let database: TestDatabase;
let under: OperatorsUnderTest;
let admin: string;
beforeAll(async () => {
  database = await testDatabase('access');
  under = await startOperatorsService({ database });
  admin = await tokenOf(database);
});
afterAll(async () => {
  await under.stop();
  await database.drop();
});

const operators = (credential: string) => under.client(OperatorService, 'operators', credential);
const owner = (text: string, values: readonly unknown[] = []) =>
  query<Record<string, unknown>>(database.ownerUrl, text, values);
/** A personal token of its own, and a session of it. */
const begin = async (roles = ['support'], expiresInSeconds = 3600n) => {
  const { token, secret } = await operators(admin).issueToken({
    name: 'Grace',
    roles,
    expiresInSeconds,
  });
  const session = await operators(secret).startSession({});
  return { id: token!.id, secret, session: session.secret, expiresAt: session.expiresAt };
};
const hasEnded = async (session: string) => {
  await expect(operators(session).whoAmI({})).rejects.toMatchObject({
    kind: 'OPERATOR_NOT_AUTHENTICATED',
    message: 'This session has ended. Sign in again.',
  });
};

test('a session calls in the name of its operator, with the roles of the start', async () => {
  const { id, session } = await begin(['support', 'auditor']);
  expect(await operators(session).whoAmI({})).toMatchObject({
    id,
    name: 'Grace',
    roles: ['support', 'auditor'],
    credential: 'token',
  });
  await expect(
    operators(session).issueToken({ name: 'x', roles: ['admin'], expiresInSeconds: 60n }),
  ).rejects.toMatchObject({ kind: 'OPERATOR_NOT_PERMITTED' });
  const { actions } = await under
    .client(AuditService, 'operators', session)
    .listActions({ operator: id });
  expect(actions.map(({ rpc }) => rpc)).toContain('operators.v1.OperatorService/WhoAmI');
});

test('a check of a credential is no row of the audit log', async () => {
  const { id, session } = await begin();
  const names = async () => {
    const audit = under.client(AuditService, 'operators', admin);
    return (await audit.listActions({ operator: id })).actions.map(({ rpc }) => rpc.split('/')[1]);
  };
  const before = await names();
  await operators(session).checkCredential({});
  expect(await names()).toEqual(before);
  await operators(admin).revokeToken({ id });
  await expect(operators(session).checkCredential({})).rejects.toMatchObject({
    kind: 'OPERATOR_NOT_AUTHENTICATED',
  });
});

test('a session lasts 12 h, and never longer than its credential', async () => {
  const long = await begin(['support'], 30n * 24n * 3600n);
  const hours = (Date.parse(long.expiresAt) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12.01);
  const short = await begin();
  const [row] = await owner('select expires_at from operator_tokens where id = $1', [short.id]);
  expect(short.expiresAt).toBe(new Date(row!.expires_at as string).toISOString());
  await owner(
    `update operator_sessions set expires_at = clock_timestamp() where operator_id = $1`,
    [short.id],
  );
  await hasEnded(short.session);
});

test('a session cannot start another session', async () => {
  const { session } = await begin();
  await expect(operators(session).startSession({})).rejects.toMatchObject({
    kind: 'OPERATOR_NOT_PERMITTED',
  });
});

test('the revocation of the token ends its sessions with the next call', async () => {
  const { id, session } = await begin();
  await operators(session).whoAmI({});
  await operators(admin).revokeToken({ id });
  await hasEnded(session);
});

test('the block of a person ends the sessions of the person with the next call', async () => {
  const { session } = await begin();
  const [person] = await owner(
    `insert into operators (id, issuer, subject, name, roles)
     values (gen_random_uuid(), 'https://id.test', 'grace', 'Grace', '{support}') returning id`,
  );
  await owner(
    `update operator_sessions set operator_id = $1, credential = 'oidc'
     where id = (select max(id::text)::uuid from operator_sessions)`,
    [person!.id],
  );
  await operators(session).whoAmI({});
  await operators(admin).blockOperator({ id: person!.id as string });
  await hasEnded(session);
});

test('a session ends after 30 min without a call; each call prolongs it', async () => {
  const { id, session } = await begin();
  const used = (minutes: number) =>
    owner(
      `update operator_sessions set last_used_at = clock_timestamp() - $2 * interval '1 min'
       where operator_id = $1`,
      [id, minutes],
    );
  await used(29);
  await operators(session).whoAmI({});
  const [row] = await owner(
    `select last_used_at > clock_timestamp() - interval '2 min' as recent
     from operator_sessions where operator_id = $1`,
    [id],
  );
  expect(row).toEqual({ recent: true });
  await used(31);
  await hasEnded(session);
});

test('a call that no person made does not prolong a session', async () => {
  const { id, session } = await begin();
  const lastUse = () =>
    owner(
      `select last_used_at < clock_timestamp() - interval '28 min' as old
       from operator_sessions where operator_id = $1`,
      [id],
    );
  await owner(
    `update operator_sessions set last_used_at = clock_timestamp() - interval '29 min'
     where operator_id = $1`,
    [id],
  );
  const { socket } = await new Promise<IncomingMessage>((resolve, reject) =>
    request(`${under.url}/operators/operators.v1.OperatorService/WhoAmI`, {
      method: 'POST',
      ca: readFileSync(under.caFile),
      headers: {
        ...{ authorization: `Bearer ${session}`, [unattendedHeader]: '1' },
        'content-type': 'application/json',
      },
    })
      .on('error', reject)
      .on('response', resolve)
      .end('{}'),
  );
  socket.destroy();
  expect(await lastUse()).toEqual([{ old: true }]);
  await operators(session).whoAmI({});
  expect(await lastUse()).toEqual([{ old: false }]);
});

test('a sign-out ends one session, a sign-out everywhere all of the operator alone', async () => {
  const one = await begin();
  const another = await begin();
  const two = (await operators(one.secret).startSession({})).secret;
  const three = (await operators(one.secret).startSession({})).secret;
  await operators(one.session).endSession({});
  await hasEnded(one.session);
  await operators(two).whoAmI({});
  await operators(two).endSession({ everywhere: true });
  await hasEnded(two);
  await hasEnded(three);
  await operators(another.session).whoAmI({});
});

test('the database and the logs hold no secret of a session', async () => {
  const { session } = await begin();
  await operators(session).whoAmI({});
  for (const table of ['operator_sessions', 'operator_actions'])
    expect(JSON.stringify(await owner(`select * from ${table}`))).not.toContain(
      session.slice(4, -6),
    );
  expect(under.logged.join('\n')).not.toContain(session.slice(4, -6));
});

test('the role of the gateway cannot read sessions', async () => {
  await expect(query(database.serviceUrl, 'select * from operator_sessions')).rejects.toMatchObject(
    { code: '42501' },
  );
});
