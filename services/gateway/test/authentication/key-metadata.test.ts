import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
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
