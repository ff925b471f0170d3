import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from './gateway-service.ts';
import { redisBehindAWire } from './redis-behind-a-wire.ts';

/** Decision 20. */
const holdsWithinMs = 5000;

describe.each([
  ['with Redis', 'whole'],
  ['with a Redis that hangs', 'clogged'],
  ['with a Redis that is gone', 'cut'],
  ['without Redis', 'none'],
] as const)('%s, on two replicas', (_, state) => {
  let under: GatewayUnderTest;
  let wire: Awaited<ReturnType<typeof redisBehindAWire>> | undefined;
  beforeAll(async () => {
    const { redis } = stores();
    wire = redis === null || state === 'none' ? undefined : await redisBehindAWire(redis);
    const redisUrl = wire?.url ?? '';
    under = await startGatewayService({
      replicas: 2,
      redisUrl,
      environment: {
        GATEWAY_FAILED_AUTH_PER_MINUTE: '100019',
        GATEWAY_READS_PER_MINUTE: '1000000', // asked again and again until it holds
      },
    });
    if (state === 'clogged') wire?.clog();
    if (state === 'cut') wire?.cut();
  });
  afterAll(async () => {
    await under.stop();
    await wire?.stop();
  });

  /** What each replica says, asked without a pause so that the key is always in its memory. */
  const codes = async (key: string) =>
    Promise.all(
      under.baseUrls.map(async (base) => {
        const { status, body } = await call('GET', `${base}/ping`, { key });
        return body?.error?.code ?? status;
      }),
    );

  const within5s = async (key: string, expected: string | number) => {
    await until(async () => (await codes(key)).every((code) => code === expected), {
      deadlineMs: holdsWithinMs,
      what: `${expected} on both replicas`,
    });
  };

  test('a revoked key', async () => {
    const { key, keyId } = await partnerOf(under);
    expect(await codes(key)).toEqual([200, 200]);
    await under.operator.revokeKey({ id: keyId });
    await within5s(key, 'API_KEY_REVOKED');
  });

  test('a key that was replaced without an overlap', async () => {
    const { key, keyId } = await partnerOf(under);
    expect(await codes(key)).toEqual([200, 200]);
    const { secret } = await under.operator.rotateKey({ id: keyId, overlapSeconds: 0 });
    await within5s(key, 'API_KEY_EXPIRED');
    expect(await codes(secret)).toEqual([200, 200]);
  });

  test('a key whose time is up, though it is in every memory', async () => {
    const { organizationId } = await partnerOf(under);
    const { secret, key } = await under.operator.issueKey({
      organizationId,
      scopes: ['orders:read'],
      expiresInSeconds: 2n,
    });
    expect(await codes(secret)).toEqual([200, 200]);
    await until(() => Date.now() >= Date.parse(key!.expiresAt), { what: 'its end' });
    expect(await codes(secret)).toEqual(['API_KEY_EXPIRED', 'API_KEY_EXPIRED']);
  });

  test('a disabled organisation, and an enabled one', async () => {
    const { key, organizationId } = await partnerOf(under);
    expect(await codes(key)).toEqual([200, 200]);
    await under.operator.setOrganizationEnabled({ id: organizationId, enabled: false });
    await within5s(key, 'ORGANIZATION_NOT_ENABLED');
    await under.operator.setOrganizationEnabled({ id: organizationId, enabled: true });
    await within5s(key, 200);
  });
});
