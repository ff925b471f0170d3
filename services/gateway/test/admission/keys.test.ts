import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret, newApiKey } from '@pto/access';
import { openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { query } from '../../../operators/test/operators-service.ts';
import { startLastUsed } from '../../src/admission/last-used.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
let base: string;
beforeAll(async () => {
  under = await startGatewayService({
    replicas: 2,
    redisUrl: '',
    environment: {
      GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8',
      GATEWAY_FAILED_AUTH_PER_MINUTE: '12', // 6 for each replica
      GATEWAY_READS_PER_MINUTE: '100000',
    },
  });
  base = under.baseUrls[0]!;
});
afterAll(() => under.stop());

const issue = async (more: { name?: string; allowedCidrs?: string[] } = {}) => {
  const { organizationId } = await partnerOf(under);
  const issued = await under.operator.issueKey({
    organizationId,
    scopes: ['orders:read'],
    ...more,
  });
  return { organizationId, secret: issued.secret, key: issued.key! };
};
const kindFrom = async (address: string, key: string, at = base, path = '/ping') => {
  const headers = { 'x-forwarded-for': address };
  const { status, body } = await call('GET', `${at}${path}`, { key, headers });
  return body?.error?.code ?? status;
};

test('a key opens the API, and is stored as its hash alone', async () => {
  const { secret, key } = await issue();
  expect(key.last4).toBe(secret.slice(-4));
  expect(await kindFrom('192.0.2.1', secret)).toBe(200);
  const rows = await query<{ id: string; hash: Buffer }>(
    under.database.ownerUrl,
    'select * from api_keys',
  );
  expect(JSON.stringify(rows)).not.toContain(secret.slice(9, -6));
  expect(rows.find(({ id }) => id === key.id)!.hash).toEqual(hashSecret(secret));
});

test('each reason to reject a key has its own code', async () => {
  const kind = (secret: string) => kindFrom('203.0.113.1', secret);
  expect(await kind(newApiKey('sandbox'))).toBe('INVALID_API_KEY');
  expect(await kind('svc_test_no')).toBe('INVALID_API_KEY');
  expect(await kind(newApiKey('production'))).toBe('API_KEY_WRONG_ENVIRONMENT');
  const [expired, revoked] = [await issue(), await issue()];
  const end = `update api_keys set expires_at = now() - interval '1 s' where id = $1`;
  await query(under.database.ownerUrl, end, [expired.key.id]);
  expect(await kind(expired.secret)).toBe('API_KEY_EXPIRED');
  await under.operator.revokeKey({ id: revoked.key.id });
  expect(await kind(revoked.secret)).toBe('API_KEY_REVOKED');
});

test('after a rotation both keys are valid until the overlap has passed', async () => {
  const { secret, key } = await issue();
  const rotate = (id: string, overlapSeconds: number) =>
    under.operator.rotateKey({ id, overlapSeconds });
  const first = await rotate(key.id, 3600);
  const leftMs = Date.parse(first.replaced!.expiresAt) - Date.now();
  expect(Math.abs(leftMs - 3_600_000)).toBeLessThan(60_000);
  expect(first.key).toMatchObject({ scopes: key.scopes, expiresAt: '' });
  expect(await kindFrom('192.0.2.1', secret)).toBe(200);
  await expect(rotate(key.id, 60)).rejects.toMatchObject({ kind: 'VALIDATION' });
  const second = await rotate(first.key!.id, 0);
  expect(await kindFrom('192.0.2.1', first.secret)).toBe('API_KEY_EXPIRED');
  expect(await kindFrom('192.0.2.1', second.secret)).toBe(200);
  await expect(rotate(second.key!.id, 8 * 86_400)).rejects.toMatchObject({ kind: 'VALIDATION' });
});

test('the last use of a key is stored to the minute', async () => {
  const { key, organizationId } = await issue();
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const url = under.database.serviceUrl;
  const bounds = { poolMax: 1, statementTimeoutMs: 3000, lockTimeoutMs: 2000 };
  const db = await openDatabase({ url, ...bounds, telemetry });
  const lastUsed = startLastUsed(db, telemetry);
  lastUsed.used(key.id);
  await lastUsed.stop();
  await db.close();
  const { keys } = await under.operator.listKeys({ organizationId });
  expect(keys.find(({ id }) => id === key.id)!.lastUsedAt).toMatch(/:00\.000Z$/);
});

test('a key has a name and allowed CIDRs, which the list shows and a rotation keeps', async () => {
  const { key, organizationId } = await issue({
    name: ' Night shift, Wien ',
    allowedCidrs: ['192.0.2.7/24', '2001:db8::/48'],
  });
  const shown = { name: 'Night shift, Wien', allowedCidrs: ['192.0.2.0/24', '2001:db8::/48'] };
  const { keys } = await under.operator.listKeys({ organizationId });
  expect(keys.find(({ id }) => id === key.id)).toMatchObject(shown);
  const rotated = await under.operator.rotateKey({ id: key.id });
  expect(rotated.key).toMatchObject(shown);
  const plain = await issue();
  expect(plain.key).toMatchObject({ name: '', allowedCidrs: [] });
});

test.each([
  { name: 'n'.repeat(101) },
  { name: 'a\nb' },
  { allowedCidrs: ['anywhere'] },
  { allowedCidrs: Array.from({ length: 51 }, (_, n) => `10.0.${n}.0/24`) },
])('a key with %j is not issued', async (more) => {
  await expect(issue(more)).rejects.toMatchObject({
    message: expect.stringMatching(/expected|at most|must not/),
  });
});

test('a key passes from its CIDRs alone, before any other check', async () => {
  const { secret } = await issue({ allowedCidrs: ['192.0.2.0/24', '2001:db8::/48'] });
  expect(await kindFrom('192.0.2.7:80', secret)).toBe(200);
  expect(await kindFrom('[2001:db8:0:9::1]:80', secret)).toBe(200);
  expect(await kindFrom('198.51.100.1', secret)).toBe('CLIENT_ADDRESS_NOT_ALLOWED');
  expect(await kindFrom('192.0.2.7, 198.51.100.1', secret)).toBe('CLIENT_ADDRESS_NOT_ALLOWED');
  expect(await kindFrom('198.51.100.1', secret, base, '/nowhere')).toBe(
    'CLIENT_ADDRESS_NOT_ALLOWED',
  );
});

test('from another address it is a 403 that uses nothing of the key, and names it in the log', async () => {
  const { secret, key, organizationId } = await issue({ allowedCidrs: ['192.0.2.0/24'] });
  const headers = { 'x-forwarded-for': '198.51.100.2' };
  const { status, headers: answered } = await call('GET', `${base}/ping`, { key: secret, headers });
  expect([status, answered.get('x-ratelimit-limit')]).toEqual([403, null]);
  await until(() => under.logged.some((line) => line.includes(key.id)), { what: 'the log line' });
  const line = under.logged.find((one) => one.includes(key.id))!;
  expect(JSON.parse(line)).toMatchObject({ status: 403, keyId: key.id, organizationId });
  const { keys } = await under.operator.listKeys({ organizationId });
  expect(keys.find(({ id }) => id === key.id)!.lastUsedAt).toBe('');
});

test('attempts from another address are throttled, and the key still passes from its own', async () => {
  const { secret } = await issue({ allowedCidrs: ['192.0.2.0/24'] });
  const found: string[] = [];
  for (let n = 0; n < 8; n++) found.push(await kindFrom('198.51.100.3', secret));
  expect(found).toEqual([
    ...Array.from({ length: 6 }, () => 'CLIENT_ADDRESS_NOT_ALLOWED'),
    'RATE_LIMITED',
    'RATE_LIMITED',
  ]);
  expect(await kindFrom('192.0.2.7', secret)).toBe(200);
});

test('a changed list holds on every replica within 5 s, and an empty one allows any address', async () => {
  const { secret, key } = await issue();
  const codes = () => Promise.all(under.baseUrls.map((at) => kindFrom('192.0.2.99', secret, at)));
  const holds = (expected: (code: unknown) => boolean) =>
    until(async () => (await codes()).every(expected), { deadlineMs: 5000, what: 'the new list' });
  expect(await codes()).toEqual([200, 200]);
  await under.operator.setKeyAllowedCidrs({ id: key.id, allowedCidrs: ['198.51.100.0/24'] });
  await holds((code) => code !== 200);
  const cleared = await under.operator.setKeyAllowedCidrs({ id: key.id, allowedCidrs: [] });
  expect(cleared.key!.allowedCidrs).toEqual([]);
  await holds((code) => code === 200);
});
