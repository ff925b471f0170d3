import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { redisBehindAWire } from '../redis-behind-a-wire.ts';

/** Decision 20. */
const holdsWithinMs = 5000;

const states = ['whole', 'clogged', 'cut', 'none'] as const;
type State = (typeof states)[number];

/** Two replicas whose Redis is in that state. */
const startReplicas = async (state: State) => {
  const { redis } = stores();
  const wire = redis === null || state === 'none' ? undefined : await redisBehindAWire(redis);
  const under = await startGatewayService({
    replicas: 2,
    redisUrl: wire?.url ?? '',
    environment: {
      GATEWAY_FAILED_AUTH_PER_MINUTE: '100019',
      GATEWAY_REJECTED_PER_MINUTE: '1000000',
      GATEWAY_READS_PER_MINUTE: '1000000', // asked again and again until it holds
    },
  });
  if (state === 'clogged') wire?.clog();
  if (state === 'cut') wire?.cut();
  return { state, under, wire };
};

let started: Awaited<ReturnType<typeof startReplicas>>[] = [];
beforeAll(async () => {
  started = await Promise.all(states.map(startReplicas));
});
afterAll(async () => {
  for (const { under, wire } of started) {
    await under.stop();
    await wire?.stop();
  }
});

/** In all states at once: most of the time passes in waiting. */
const inEachState = async (promise: (under: GatewayUnderTest) => Promise<void>) => {
  const ends = await Promise.allSettled(started.map(({ under }) => promise(under)));
  const broken = ends.flatMap((end, n) =>
    end.status === 'rejected' ? [`${started[n]!.state}: ${end.reason}`] : [],
  );
  expect(broken).toEqual([]);
};

/** What each replica says, asked without a pause so that the key is always in its memory. */
const codes = async (under: GatewayUnderTest, key: string) =>
  Promise.all(
    under.baseUrls.map(async (base) => {
      const { status, body } = await call('GET', `${base}/ping`, { key });
      return body?.error?.code ?? status;
    }),
  );

const within5s = async (under: GatewayUnderTest, key: string, expected: string | number) => {
  await until(async () => (await codes(under, key)).every((code) => code === expected), {
    deadlineMs: holdsWithinMs,
    what: `${expected} on both replicas`,
  });
};

/** All changes run at the same time: most of the time passes in waiting. */
const changes: Readonly<Record<string, (under: GatewayUnderTest) => Promise<void>>> = {
  'a revoked key': async (under) => {
    const { key, keyId } = await partnerOf(under);
    expect(await codes(under, key)).toEqual([200, 200]);
    await under.operator.revokeKey({ id: keyId });
    await within5s(under, key, 'API_KEY_REVOKED');
  },
  'a key that was replaced without an overlap': async (under) => {
    const { key, keyId } = await partnerOf(under);
    expect(await codes(under, key)).toEqual([200, 200]);
    const { secret } = await under.operator.rotateKey({ id: keyId, overlapSeconds: 0 });
    await within5s(under, key, 'API_KEY_EXPIRED');
    expect(await codes(under, secret)).toEqual([200, 200]);
  },
  'the expiry of a cached key': async (under) => {
    const { organizationId } = await partnerOf(under);
    const { secret, key } = await under.operator.issueKey({
      organizationId,
      scopes: ['orders:read'],
      expiresInSeconds: 2n,
    });
    expect(await codes(under, secret)).toEqual([200, 200]);
    await until(() => Date.now() >= Date.parse(key!.expiresAt), { what: 'its end' });
    expect(await codes(under, secret)).toEqual(['API_KEY_EXPIRED', 'API_KEY_EXPIRED']);
  },
  'a disabled and then enabled organization': async (under) => {
    const { key, organizationId } = await partnerOf(under);
    expect(await codes(under, key)).toEqual([200, 200]);
    await under.operator.setOrganizationEnabled({ id: organizationId, enabled: false });
    await within5s(under, key, 'ORGANIZATION_NOT_ENABLED');
    await under.operator.setOrganizationEnabled({ id: organizationId, enabled: true });
    await within5s(under, key, 200);
  },
};
let results: ReadonlyMap<string, Promise<void>>;
beforeAll(() => {
  results = new Map(
    Object.entries(changes).map(([name, change]) => [name, inEachState(change)] as const),
  );
  for (const result of results.values()) result.catch(() => {}); // its own test reports it
});

test.each(Object.keys(changes))('%s holds on every replica within 5 s', async (name) => {
  await results.get(name);
});
