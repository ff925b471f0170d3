import { expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '@pto/config';
import { sealingKeys } from '@pto/sealing';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { settings } from '../../src/config.ts';
import { newSecret } from '../../src/secrets/endpoint-secrets.ts';
import { openSecret, sealSecret } from '../../src/secrets/seal.ts';
import { startWebhooks } from '../../src/service.ts';
import { deliveriesOf, underTest } from '../under-test.ts';
import { verifySignature } from '../verify-signature.ts';
import { environmentOf, eventsOf, startReplica } from '../webhooks-service.ts';

const [first, second] = [1, 2].map((n) => Buffer.alloc(32, n).toString('base64'));
const under = underTest({ WEBHOOKS_SECRET_KEYS: `k1:${first}` });

test('not in the database, in logs, in metrics or in any later answer', async () => {
  const { id, organizationId, secret, receiver } = await under.endpoint();
  const { webhooks, deliveries, telemetry, lines } = under.replica;
  const keyed = { organizationId, idempotencyKey: 'k', bodySha256: Buffer.alloc(32) };
  const second = await webhooks.createEndpoint({ ...keyed, url: receiver.url });
  await under.stores.publish(eventsOf(organizationId, 2));
  await deliveriesOf(under.replica, id, 'DELIVERED', 2);
  await receiver.close();
  const tested = await webhooks.testEndpoint({ id, organizationId });
  telemetry.log.error({ err: new Error(`canary ${secret}`) }, `said ${secret}`);
  const answers = [
    tested,
    await webhooks.getEndpoint({ id, organizationId }),
    await webhooks.listEndpoints({ organizationId }),
    await webhooks.updateEndpoint({ id, organizationId, disabled: true }),
    await deliveries.showEndpoint({ id }),
    await deliveries.listDeliveries({ endpointId: id }),
  ];
  const { superuser } = under.stores;
  const tables = await superuser.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(5);
  const stored: string[] = [];
  for (const { name } of tables)
    stored.push(
      ...(await superuser.query<{ row: string }>(`select t::text as row from "${name}" t`)).map(
        ({ row }) => row,
      ),
    );
  const haystack = [...stored, ...lines, await telemetry.metrics.metrics(), JSON.stringify(answers)]
    .join('\n')
    .toLowerCase();
  const spellings = [secret, second.secret].flatMap((each) => [
    each,
    Buffer.from(each).toString('hex'),
    Buffer.from(each).toString('base64'),
    each.slice(6),
  ]);
  for (const spelling of spellings) expect(haystack.includes(spelling.toLowerCase())).toBe(false);
  expect(haystack).toContain('canary whsec_***');
  expect(haystack).toContain(id);
});

test('what is sealed opens with its key, for its endpoint, and unchanged only', () => {
  const ring = sealingKeys('WEBHOOKS_SECRET_KEYS').parse(`k1:${first}`);
  const secret = newSecret();
  const sealed = sealSecret(ring, 'endpoint-a', secret);
  expect(openSecret(ring, 'endpoint-a', sealed)).toBe(secret);
  expect(() => openSecret(ring, 'endpoint-b', sealed)).toThrow();
  expect(() =>
    openSecret(sealingKeys('WEBHOOKS_SECRET_KEYS').parse(`k1:${second}`), 'endpoint-a', sealed),
  ).toThrow();
  for (let at = 0; at < sealed.sealed.length; at++) {
    const bytes = Buffer.from(sealed.sealed);
    bytes[at] = bytes[at]! ^ 1;
    expect(() => openSecret(ring, 'endpoint-a', { ...sealed, sealed: bytes })).toThrow();
  }
  expect(sealSecret(ring, 'endpoint-a', secret).sealed.equals(sealed.sealed)).toBe(false);
});

test('secrets are of 43 base62 characters, all of them used', () => {
  const secrets = Array.from({ length: 500 }, newSecret);
  expect(new Set(secrets).size).toBe(500);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/);
  expect(new Set(secrets.map((secret) => secret.slice(6)).join('')).size).toBe(62);
});

test('a new first key seals, and the old one still opens', async () => {
  const { organizationId, secret, receiver } = await under.endpoint();
  const heir = await startReplica(under.stores, {
    WEBHOOKS_CA_FILE: under.authority.caFile,
    WEBHOOKS_SECRET_KEYS: `k2:${second},k1:${first}`,
  });
  try {
    const which = {
      organizationId,
      id: (await heir.webhooks.listEndpoints({ organizationId })).endpoints[0]!.id,
    };
    expect(await heir.webhooks.testEndpoint(which)).toMatchObject({ delivered: true });
    const post = await until(() => receiver.received[0], { what: 'the test event' });
    expect(await verifySignature(post.signature, post.body, secret)).toBe(true);
    const { endpoint } = await heir.webhooks.createEndpoint({ organizationId, url: receiver.url });
    const rows = await under.stores.superuser.query<{ sealing_key: string }>(
      'select sealing_key from endpoint_secrets where endpoint_id = any ($1) order by created_at',
      [[which.id, endpoint!.id]],
    );
    expect(rows.map((row) => row.sealing_key)).toEqual(['k1', 'k2']);
    await heir.webhooks.deleteEndpoint({ organizationId, id: endpoint!.id });
  } finally {
    await heir.stop();
  }
});

test('the service does not start without a key that secrets are sealed with', async () => {
  await under.endpoint();
  const environment = environmentOf(under.stores, { WEBHOOKS_SECRET_KEYS: `k2:${second}` });
  const config = readConfig(settings, environment).settings;
  const starting = startWebhooks(config, createTelemetry({ service: 'webhooks', write: () => {} }));
  await expect(starting).rejects.toThrow(/WEBHOOKS_SECRET_KEYS: key k1 is missing/);
  await expect(starting).rejects.toBeInstanceOf(ConfigError);
});

test.each([
  ['WEBHOOKS_SECRET_KEYS', ''],
  ['WEBHOOKS_SECRET_KEYS', 'k1:short'],
  ['WEBHOOKS_SECRET_KEYS', `k1:${first},k1:${second}`],
  ['WEBHOOKS_RETRY_WAITS', '1m,5m'],
  ['WEBHOOKS_RETRY_WAITS', '1m,5m,30m,4h,soon'],
  ['WEBHOOKS_EGRESS_ALLOW', 'localhost'],
  ['WEBHOOKS_BROKEN_FAILURES', '0'],
])('%s=%s stops the service with its name', (name, value) => {
  const environment = { ...environmentOf(under.stores), [name]: value };
  expect(() => readConfig(settings, environment)).toThrow(name);
});

test('a sealing key that does not hold is not repeated', () => {
  const bad = `k1:${first!.slice(0, 30)}`;
  const environment = environmentOf(under.stores, { WEBHOOKS_SECRET_KEYS: bad });
  expect(() => readConfig(settings, environment)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(first!.slice(0, 30)) }),
  );
});
