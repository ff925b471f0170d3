import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashSecret, newApiKey } from '@pto/access';
import { type Database, migrate, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { migrations } from '../../../operators/migrations/index.ts';
import { apiKeys } from '../../../operators/src/access/keys.ts';
import { organizations } from '../../../operators/src/access/organizations.ts';
import { authenticate } from '../../src/authentication/authenticate.ts';
import { findCredentials } from '../../src/authentication/find-credentials.ts';
import { startLastUsed } from '../../src/authentication/last-used.ts';

describe('keys in the database', () => {
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  let database: TestDatabase;
  let db: Database;
  let organizationId: string;
  const keys = () => apiKeys(db, 'sandbox', () => {});
  const find = async (name: string) =>
    (await findCredentials(db, [Buffer.from(name, 'base64')])).get(name) ?? null;

  beforeAll(async () => {
    database = await testDatabase('access');
    await migrate(database.ownerUrl, migrations);
    db = await openDatabase({
      url: database.operatorsUrl,
      poolMax: 5,
      statementTimeoutMs: 3000,
      lockTimeoutMs: 2000,
      telemetry,
    });
    const made = await organizations(db, () => {}).create({
      name: 'Clinic',
      disabled: false,
      admins: ['a@clinic.example'],
    });
    organizationId = made.id;
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  const issue = (more: object = {}) =>
    keys().issue({
      organizationId,
      scopes: ['orders:write', 'orders:read'],
      expiresInSeconds: 0,
      readsPerMinute: 0,
      writesPerMinute: 7,
      name: '',
      allowedCidrs: [],
      ...more,
    });

  test('lets its holder in, and stands nowhere in clear', async () => {
    const { secret, key } = await issue();
    expect(key).toMatchObject({ last4: secret.slice(-4), scopes: ['orders:read', 'orders:write'] });
    const credentials = await authenticate(secret, 'sandbox', find);
    expect(credentials).toMatchObject({
      keyId: key.id,
      organization: { id: organizationId, name: 'Clinic', enabled: true },
      limits: { reads: null, writes: 7 },
    });
    const rows = await db.query('select * from api_keys');
    expect(JSON.stringify(rows)).not.toContain(secret.slice(9, -6));
    expect((rows[0] as { hash: Buffer }).hash).toEqual(hashSecret(secret));
  });

  test('each of the five refusals has its own code', async () => {
    const { secret, key } = await issue();
    const kind = (text: string, environment: 'sandbox' | 'production' = 'sandbox') =>
      authenticate(text, environment, find).then(
        () => 'in',
        (failure) => failure.kind,
      );
    expect(await kind(newApiKey('sandbox'))).toBe('INVALID_API_KEY');
    expect(await kind('svc_test_no')).toBe('INVALID_API_KEY');
    expect(await kind(secret, 'production')).toBe('API_KEY_WRONG_ENVIRONMENT');
    expect(await kind(secret)).toBe('in');
    await db.query(`update api_keys set expires_at = now() - interval '1 s' where id = $1`, [
      key.id,
    ]);
    expect(await kind(secret)).toBe('API_KEY_EXPIRED');
    await keys().revoke(key.id);
    expect(await kind(secret)).toBe('API_KEY_REVOKED');
  });

  test('a rotation lets both in until the overlap has passed', async () => {
    const { key } = await issue();
    const rotated = await keys().rotate(key.id, 3600);
    const left = Date.parse(rotated.replaced.expiresAt) - Date.now();
    expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000);
    expect(rotated.key).toMatchObject({ scopes: key.scopes, writesPerMinute: 7, expiresAt: '' });
    await expect(keys().rotate(key.id, 60)).rejects.toMatchObject({ kind: 'VALIDATION' });
    const at0 = await keys().rotate(rotated.key.id, 0);
    expect(at0.key.expiresAt).toBe('');
    await expect(authenticate(rotated.secret, 'sandbox', find)).rejects.toMatchObject({
      kind: 'API_KEY_EXPIRED',
    });
    expect((await authenticate(at0.secret, 'sandbox', find)).keyId).toBe(at0.key.id);
    await expect(keys().rotate(at0.key.id, 8 * 86_400)).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
  });

  test('its last use is kept to the minute', async () => {
    const { key } = await issue();
    const partners = await openDatabase({
      url: database.serviceUrl,
      poolMax: 1,
      statementTimeoutMs: 3000,
      lockTimeoutMs: 2000,
      telemetry: createTelemetry({ service: 'partners', write: () => {} }),
    });
    const lastUsed = startLastUsed(partners, telemetry);
    lastUsed.used(key.id);
    await lastUsed.stop();
    await partners.close();
    const [row] = (await keys().list(organizationId)).filter(({ id }) => id === key.id);
    expect(row?.lastUsedAt).toMatch(/:00\.000Z$/);
  });
});
