import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { credentialsChanged, hashSecret, newApiKey, newCheckedSecret } from '@pto/access';
import { AccessService } from '@pto/proto/access/v1/access';
import { PortalSessionService } from '@pto/proto/access/v1/portal';
import { stores, until } from '@pto/testing';
import { Redis } from 'ioredis';
import {
  type OperatorsUnderTest,
  query,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

const { redis } = stores();
let under: OperatorsUnderTest;
let organizationId: string;
beforeAll(async () => {
  under = await startOperatorsService({
    environment: { OPERATORS_PORTAL_URL: 'https://portal.example', REDIS_URL: redis ?? '' },
  });
  const { organization } = await access('admin').then((client) =>
    client.createOrganization({ name: 'Clinic' }),
  );
  organizationId = organization!.id;
});
afterAll(() => under.stop());

const access = async (...roles: string[]) =>
  under.client(AccessService, 'access', await tokenOf(under.database, roles));
/** Anyone's client, without a credential. */
const sessions = () => under.client(PortalSessionService, 'access');
const link = async () => {
  const { url } = await (await access('admin')).createPortalLink({
    organizationId,
    rights: { lastsSeconds: 3600 },
  });
  return url.split('#')[1]!;
};

test('invented codes and secrets keep nobody of the same address from opening a link', async () => {
  const code = await link();
  const stranger = sessions();
  const invent = async (): Promise<string[]> => {
    const kinds = [];
    for (let n = 0; n < 50; n++)
      kinds.push(
        await stranger.openSession({ code: newCheckedSecret('ptl_') }).then(
          () => 'opened',
          ({ kind }) => kind,
        ),
      );
    return kinds;
  };
  const flood = Promise.all(Array.from({ length: 20 }, invent));
  const { secret } = await sessions().openSession({ code });
  expect((await sessions().getSession({ secret })).organization).toBe('Clinic');
  expect(new Set((await flood).flat())).toEqual(new Set(['NOT_FOUND']));
  expect((await sessions().openSession({ code: await link() })).secret).toMatch(/^svc_test_/);
});

(redis ? test : test.skip)(
  'only the end of a session makes the gateways read their keys again',
  async () => {
    const subscriber = new Redis(redis!);
    let notified = 0;
    subscriber.on('message', () => {
      notified++;
    });
    await subscriber.subscribe(credentialsChanged);
    const { secret } = await sessions().openSession({ code: await link() });
    await Promise.all(
      Array.from({ length: 50 }, () => sessions().endSession({ secret: newApiKey('sandbox') })),
    );
    await sessions().endSession({ secret });
    await until(async () => notified > 0, { what: 'the message' });
    expect(notified).toBe(1);
    await expect(sessions().getSession({ secret })).rejects.toMatchObject({
      kind: 'INVALID_API_KEY',
    });
    subscriber.disconnect();
  },
);

test('only administrators create and end links; every role sees them', async () => {
  for (const role of ['support', 'dispatcher', 'auditor']) {
    const client = await access(role);
    await expect(
      client.createPortalLink({ organizationId, rights: { lastsSeconds: 3600 } }),
    ).rejects.toMatchObject({ kind: 'OPERATOR_NOT_PERMITTED' });
    const { sessions: all } = await client.listPortalSessions({ organizationId });
    expect(all.length).toBeGreaterThan(0);
    await expect(client.endPortalSession({ id: all[0]!.id })).rejects.toMatchObject({
      kind: 'OPERATOR_NOT_PERMITTED',
    });
  }
});

const newNonce = () => randomBytes(32).toString('base64url');

test('the browser that lost the response opens the same session again, also in parallel', async () => {
  const [code, nonce] = [await link(), newNonce()];
  const opened = await Promise.all(
    Array.from({ length: 10 }, () => sessions().openSession({ code, nonce })),
  );
  const [secret] = new Set(opened.map((one) => one.secret));
  expect(opened.map((one) => one.secret)).toEqual(Array(10).fill(secret));
  expect((await sessions().getSession({ secret: secret! })).organization).toBe('Clinic');
  await sessions().endSession({ secret: secret! });
  await expect(sessions().openSession({ code, nonce })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
});

test('an opened link is refused without its nonce, and with it after a minute', async () => {
  const [code, nonce] = [await link(), newNonce()];
  const { secret } = await sessions().openSession({ code, nonce });
  const refused = { kind: 'NOT_FOUND', message: expect.stringContaining('it works once') };
  for (const other of [newNonce(), '']) {
    await expect(sessions().openSession({ code, nonce: other })).rejects.toMatchObject(refused);
  }
  expect((await sessions().openSession({ code, nonce })).secret).toBe(secret);
  await query(
    under.database.ownerUrl,
    `update portal_sessions set opened_at = opened_at - interval '61 s' where hash = $1`,
    [hashSecret(secret)],
  );
  await expect(sessions().openSession({ code, nonce })).rejects.toMatchObject(refused);
  expect((await sessions().getSession({ secret })).organization).toBe('Clinic');
});

test.each(['x', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, '\n'.padStart(44, 'a')])(
  'the nonce %j is rejected and does not use the link up',
  async (nonce) => {
    const code = await link();
    await expect(sessions().openSession({ code, nonce })).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
    await sessions().openSession({ code, nonce: newNonce() });
  },
);

test('a link of a key has at most its rights, and ends with it', async () => {
  const admin = await access('admin');
  const { key } = await admin.issueKey({ organizationId, scopes: ['orders:read'] });
  const keyId = key!.id;
  const rights = { lastsSeconds: 3600 };
  const more = { ...rights, scopes: ['orders:write'] };
  await expect(
    admin.createPortalLink({ organizationId, keyId, rights: more }),
  ).rejects.toMatchObject({ kind: 'VALIDATION' });
  const { organization: other } = await admin.createOrganization({ name: 'Laboratory' });
  for (const [organizationId, ofKey] of [
    [other!.id, keyId],
    [key!.organizationId, crypto.randomUUID()],
  ] as const)
    await expect(
      admin.createPortalLink({ organizationId, keyId: ofKey, rights }),
    ).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  const { link: made, url } = await admin.createPortalLink({ organizationId, keyId, rights });
  expect(made).toMatchObject({ parentId: keyId, scopes: ['orders:read'] });
  const { secret } = await sessions().openSession({ code: url.split('#')[1]! });
  expect((await sessions().getSession({ secret })).session!.parentId).toBe(keyId);
  await admin.revokeKey({ id: keyId });
  await expect(sessions().getSession({ secret })).rejects.toMatchObject({
    kind: 'INVALID_API_KEY',
  });
  await expect(admin.createPortalLink({ organizationId, keyId, rights })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
});

test('a link permits something: a key that only rotates keys gives none unnamed', async () => {
  const admin = await access('admin');
  const { key } = await admin.issueKey({ organizationId, scopes: ['keys:rotate'] });
  const link = (scopes: string[]) =>
    admin.createPortalLink({
      organizationId,
      keyId: key!.id,
      rights: { lastsSeconds: 3600, scopes },
    });
  await expect(link([])).rejects.toMatchObject({
    kind: 'VALIDATION',
    message: expect.stringContaining('name some of keys:rotate'),
  });
  expect((await link(['keys:rotate'])).link).toMatchObject({ scopes: ['keys:rotate'] });
});

test('without a portal there are no links', async () => {
  const without = await startOperatorsService({ database: under.database });
  const client = without.client(AccessService, 'access', await tokenOf(under.database, ['admin']));
  await expect(
    client.createPortalLink({ organizationId, rights: { lastsSeconds: 3600 } }),
  ).rejects.toMatchObject({ kind: 'NOT_FOUND', message: 'This installation has no portal.' });
  await without.stop();
});
