/** A partner sees and rotates its own keys, and gains no right by it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PortalSessionService } from '@pto/proto/access/v1/portal';
import { until } from '@pto/testing';
import { query } from '../../../operators/test/operators-service.ts';
import {
  call,
  allScopes as everything,
  type GatewayUnderTest,
  partnerOf,
  startGatewayService,
} from '../gateway-service.ts';

let under: GatewayUnderTest;
let base: string;
beforeAll(async () => {
  under = await startGatewayService({
    environment: { GATEWAY_FAILED_AUTH_PER_MINUTE: '100000', GATEWAY_TRUSTED_PROXIES: '127.0.0.1' },
  });
  base = under.baseUrls[0]!;
});
afterAll(() => under.stop());

const allScopes = everything.slice(0, 3);
const organization = async () => (await partnerOf(under)).organizationId;
const keyOf = async (organizationId: string, more: object = {}) => {
  const { key, secret } = await under.operator.issueKey({
    organizationId,
    scopes: everything,
    ...more,
  });
  return { id: key!.id, secret };
};
const from = (address: string) => ({ 'x-forwarded-for': address });
const rotate = (
  secret: string,
  id: string,
  { overlap, key, headers }: { overlap?: number; key?: string; headers?: object } = {},
) =>
  call('POST', `${base}/keys/${id}/rotate`, {
    key: secret,
    body: overlap === undefined ? {} : { overlap },
    headers: { ...(key && { 'idempotency-key': key }), ...headers },
  });
const list = async (secret: string, headers: Record<string, string> = {}) =>
  call('GET', `${base}/keys`, { key: secret, headers });
const rotatable = async (secret: string, headers: Record<string, string> = {}) =>
  (await list(secret, headers)).body
    .filter((one: { rotatable: boolean }) => one.rotatable)
    .map(({ id }: { id: string }) => id)
    .sort();
const works = async (secret: string, headers: Record<string, string> = {}) =>
  (await call('GET', `${base}/ping`, { key: secret, headers })).status === 200;
const ends = (secret: string) =>
  until(async () => !(await works(secret)), { what: 'the end of the key' });
const codeOf = ({ status, body }: Awaited<ReturnType<typeof call>>) =>
  body?.error?.code ?? body?.detail?.[0]?.loc.join('.') ?? status;
const sql = (text: string, values: unknown[] = []) => query(under.database.ownerUrl, text, values);
const session = async (secret: string, rights: object) => {
  const made = await call('POST', `${base}/portal-links`, { key: secret, body: rights });
  expect(made.status).toBe(201);
  const code = made.body.url.split('#')[1]!;
  const sessions = under.operators.client(PortalSessionService, 'access');
  return (await sessions.openSession({ code })).secret;
};

test('a key rotates itself, keeps all that it was, and is shown once', async () => {
  const org = await organization();
  const expiresInSeconds = 86_400n;
  const allowedCidrs = ['10.1.0.0/16'];
  const given = { name: 'LIMS', allowedCidrs, expiresInSeconds, readsPerMinute: 77 };
  const { id, secret } = await keyOf(org, given);
  const inside = from('10.1.2.3');
  const answer = await rotate(secret, id, { overlap: 3600, headers: inside });
  expect(answer.status).toBe(200);
  const { key, previous_expires_at: ending } = answer.body;
  expect(Math.abs(Date.parse(ending) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  expect([await works(secret, inside), await works(key, inside), await works(key)]).toEqual([
    ...[true, true],
    false,
  ]);
  const { keys } = await under.operator.listKeys({ organizationId: org });
  const [old, made] = [id, answer.body.id].map((one) => keys.find((each) => each.id === one)!);
  for (const name of ['name', 'scopes', 'allowedCidrs', 'readsPerMinute'] as const)
    expect(made![name]).toEqual(old![name]);
  const listed = await list(key, inside);
  expect(listed.text).not.toContain(key);
  const [newest, before] = listed.body;
  expect(newest).toMatchObject({
    ...{ id: answer.body.id, name: 'LIMS', scopes: everything, last4: key.slice(-4) },
    ...{ allowed_cidrs: allowedCidrs, replaced_by: null, rotatable: false },
  });
  expect(before).toMatchObject({ id, replaced_by: newest.id, rotatable: false });
  const logged = [...under.logged, ...under.operators.logged].join('\n');
  for (const one of [secret, key]) expect(logged).not.toContain(one);
});

describe('a caller gains no right', () => {
  const narrow = ['orders:read', 'keys:rotate'];
  const day = 86_400n;
  /** The caller, the target, and whether the caller sees and rotates it. */
  const rows: [string, object, object, 'rotates' | 'sees' | 'nothing'][] = [
    ['the same rights', {}, {}, 'rotates'],
    ['fewer scopes', {}, { scopes: ['orders:read'] }, 'rotates'],
    ['one more scope', { scopes: narrow }, { scopes: ['orders:read', 'orders:write'] }, 'nothing'],
    ['another scope', { scopes: narrow }, { scopes: ['webhooks:manage'] }, 'nothing'],
    ['any address', { allowedCidrs: ['127.0.0.0/8'] }, {}, 'nothing'],
    [
      'a part of the addresses',
      { allowedCidrs: ['127.0.0.0/8'] },
      { allowedCidrs: ['127.0.0.1'] },
      'rotates',
    ],
    [
      'more addresses',
      { allowedCidrs: ['127.0.0.0/16'] },
      { allowedCidrs: ['127.0.0.1', '127.0.0.0/15'] },
      'nothing',
    ],
    [
      'addresses of the other version',
      { allowedCidrs: ['127.0.0.0/8'] },
      { allowedCidrs: ['2001:db8::/32'] },
      'nothing',
    ],
    ['an earlier end', { expiresInSeconds: day }, { expiresInSeconds: 3600n }, 'rotates'],
    ['a later end', { expiresInSeconds: day }, { expiresInSeconds: 2n * day }, 'sees'],
    ['no end', { expiresInSeconds: day }, {}, 'sees'],
  ];
  test.each(rows)('that rotates a key with %s', async (_, of, target, expected) => {
    const org = await organization();
    const caller = await keyOf(org, of);
    const other = await keyOf(org, target);
    const all = (await list(caller.secret)).body.map(({ id }: { id: string }) => id);
    expect(all.includes(other.id)).toBe(expected !== 'nothing');
    expect((await rotatable(caller.secret)).includes(other.id)).toBe(expected === 'rotates');
    const answer = await rotate(caller.secret, other.id, { overlap: 0 });
    const codes = { rotates: 200, sees: 'KEY_ROTATION_NOT_ALLOWED', nothing: 'NOT_FOUND' };
    expect(codeOf(answer)).toBe(codes[expected]);
    if (expected === 'rotates') await ends(other.secret);
  });

  test('that names a key of another organization, which is as if there were none', async () => {
    const caller = await keyOf(await organization());
    const foreign = await keyOf(await organization());
    const [of, none] = [
      await rotate(caller.secret, foreign.id),
      await rotate(caller.secret, randomUUID()),
    ];
    expect([of.status, of.text]).toEqual([404, none.text]);
    expect(await works(foreign.secret)).toBe(true);
  });

  test('without the scope, or by a session that does not name it', async () => {
    const org = await organization();
    const plain = await keyOf(org, { scopes: allScopes });
    const rotating = await keyOf(org);
    for (const secret of [plain.secret, await session(rotating.secret, {})])
      for (const answer of [await list(secret), await rotate(secret, plain.id)])
        expect(answer.body.error).toMatchObject({
          code: 'INSUFFICIENT_SCOPE',
          details: { required_scope: 'keys:rotate' },
        });
    const beyond = await call('POST', `${base}/portal-links`, {
      key: plain.secret,
      body: { scopes: ['keys:rotate'] },
    });
    expect([beyond.status, beyond.body.detail[0].loc]).toEqual([422, ['body', 'scopes']]);
    await expect(
      under.operator.createPortalLink({
        organizationId: org,
        rights: { scopes: ['keys:rotate'], lastsSeconds: 3600 },
      }),
    ).rejects.toMatchObject({ kind: 'VALIDATION' });
  });

  test('by a session of fewer scopes, of reading or of one endpoint', async () => {
    const org = await organization();
    const { id, secret } = await keyOf(org);
    const small = await keyOf(org, { scopes: ['orders:read'] });
    const few = await session(secret, { scopes: ['orders:read', 'keys:rotate'] });
    expect(await rotatable(few)).toEqual([small.id]);
    expect(codeOf(await rotate(few, id))).toBe('NOT_FOUND');
    const reading = await session(secret, { scopes: everything, read_only: true });
    expect([(await list(reading)).status, await rotatable(reading)]).toEqual([200, []]);
    expect(codeOf(await rotate(reading, id))).toBe('INSUFFICIENT_SCOPE');
    const endpoint = await session(secret, { scopes: everything, endpoint_id: randomUUID() });
    expect(codeOf(await list(endpoint))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(await rotate(few, small.id, { overlap: 0 }))).toBe(200);
  });
});

test('a session rotates its own key, with which it ends', async () => {
  const { id, secret } = await keyOf(await organization());
  const person = await session(secret, { scopes: everything });
  expect(codeOf(await rotate(person, id, { overlap: 59 }))).toBe('body.overlap');
  const { body } = await rotate(person, id, { overlap: 60 });
  expect([await works(person), await works(secret), await works(body.key)]).toEqual([
    ...[true, true, true],
  ]);
  await sql(`update api_keys set expires_at = now() where id = $1`, [id]);
  await ends(person);
  expect(await works(body.key)).toBe(true);
});

describe('a lost response costs no key', () => {
  test('the same request gets it again, also in parallel and after the rotation', async () => {
    const { id, secret } = await keyOf(await organization());
    const given = { key: randomUUID(), overlap: 3600 };
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(secret, id, given)));
    const again = await rotate(secret, id, given);
    expect(new Set([...answers, again].map(({ text }) => text)).size).toBe(1);
    const replayed = answers.map(({ headers }) => headers.get('idempotency-replayed'));
    expect(replayed.filter((one) => one === null)).toHaveLength(1);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await works(again.body.key)).toBe(true);
  });

  test('another body, another key and another caller do not, nor the same after a day', async () => {
    const org = await organization();
    const [{ id, secret }, other] = [await keyOf(org), await keyOf(org)];
    const key = randomUUID();
    expect((await rotate(secret, id, { key })).status).toBe(200);
    const reused = 'IDEMPOTENCY_KEY_REUSED';
    expect(codeOf(await rotate(secret, id, { key, overlap: 60 }))).toBe(reused);
    expect(codeOf(await rotate(secret, other.id, { key }))).toBe(reused);
    expect(codeOf(await rotate(other.secret, id, { key }))).toBe(reused);
    await sql(`update key_rotations set rotated_at = now() - interval '25 h'`);
    expect(codeOf(await rotate(secret, id, { key }))).toBe('KEY_ROTATION_NOT_ALLOWED');
  });

  test('neither the seed, nor the old key with the idempotency key, is stored as the new key', async () => {
    const { id, secret } = await keyOf(await organization());
    const { body } = await rotate(secret, id, { key: 'guessed' });
    const rows = await sql('select * from key_rotations k join api_keys a on a.id = k.issued_id');
    expect(JSON.stringify(rows)).not.toContain(body.key);
    const stranger = await keyOf(await organization());
    expect((await rotate(stranger.secret, stranger.id, { key: 'guessed' })).body.key).not.toBe(
      body.key,
    );
  });
});

test('a rotated key is not rotated again while the one before it works', async () => {
  const { id, secret } = await keyOf(await organization());
  const { body: next } = await rotate(secret, id);
  expect(codeOf(await rotate(next.key, next.id))).toBe('KEY_ROTATION_NOT_ALLOWED');
  expect(await rotatable(next.key)).not.toContain(next.id);
  await sql('update api_keys set expires_at = now() where id = $1', [id]);
  expect(await rotatable(next.key)).toContain(next.id);
  expect((await rotate(next.key, next.id)).status).toBe(200);
});

test('an organization gets at most 100 keys in a day', async () => {
  const org = await organization();
  const { id, secret } = await keyOf(org);
  const fill = async (count: number) =>
    sql(
      `insert into api_keys (id, organization_id, hash, last4, scopes, revoked_at)
       select gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), 'xxxx', '{}', now()
       from generate_series(1, $2)`,
      [org, count],
    );
  await fill(98); // beside the two of this test
  expect(codeOf(await rotate(secret, id))).toBe('KEY_ROTATION_NOT_ALLOWED');
  await sql(`update api_keys set created_at = now() - interval '25 h' where organization_id = $1`, [
    org,
  ]);
  await fill(99);
  expect((await rotate(secret, id)).status).toBe(200);
});

test.each([-1, 604_801, 'x'])('an overlap of %s is rejected', async (overlap) => {
  const { id, secret } = await keyOf(await organization());
  expect(codeOf(await rotate(secret, id, { overlap: overlap as number }))).toBe('body.overlap');
});
