import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessService } from '@pto/proto/access/v1/access';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { withRequestId } from '@pto/telemetry';
import { type OperatorsUnderTest, startOperatorsService, tokenOf } from './operators-service.ts';

let under: OperatorsUnderTest;
let admin: string;
let organizationId: string;
beforeAll(async () => {
  under = await startOperatorsService({
    environment: { OPERATORS_PORTAL_URL: 'https://portal.example' },
  });
  admin = await tokenOf(under.database);
  organizationId = (await access().createOrganization({ name: 'Clinic' })).organization!.id;
});
afterAll(() => under.stop());

const access = () => under.client(AccessService, 'access', admin);
const list = (filter: object) =>
  under.client(AuditService, 'operators', admin).listActions({ ...filter });
const names = async (filter: object) =>
  (await list(filter)).actions.map(({ rpc }) => rpc.slice(rpc.indexOf('/') + 1));
const issue = async () =>
  (await access().issueKey({ organizationId, scopes: ['orders:read'] })).key!;

test('the rows of a key are that of its issue and those on it, newest first', async () => {
  const { id } = await issue();
  await issue();
  await access().setKeyLimits({ id, readsPerMinute: 5 });
  const { key } = await access().rotateKey({ id });
  expect(await names({ target: id })).toEqual(['RotateKey', 'SetKeyLimits', 'IssueKey']);
  expect((await list({ target: key!.id })).actions).toMatchObject([
    { rpc: 'access.v1.AccessService/RotateKey', target: id, createdId: key!.id },
  ]);
  await access().revokeKey({ id });
  const all: string[] = [];
  for (let beforeId = ''; ; ) {
    const page = await list({ target: id, pageSize: 1, beforeId });
    all.push(...page.actions.map(({ rpc }) => rpc.slice(rpc.indexOf('/') + 1)));
    if (page.nextId === '') break;
    beforeId = page.nextId;
  }
  expect(all).toEqual(['RevokeKey', 'RotateKey', 'SetKeyLimits', 'IssueKey']);
  expect(await names({ target: id, action: 'IssueKey', operator: 'nobody' })).toEqual([]);
  expect(await names({ target: id, action: 'IssueKey' })).toEqual(['IssueKey']);
});

test('links and tokens are found by their ids, and no row has their secrets', async () => {
  const rights = { lastsSeconds: 3600 };
  const { link, url } = await access().createPortalLink({ organizationId, rights });
  const { token, secret } = await under
    .client(OperatorService, 'operators', admin)
    .issueToken({ name: 'Grace', roles: ['support'], expiresInSeconds: 3600n });
  const rows = [...(await list({ target: link!.id })).actions];
  rows.push(...(await list({ target: token!.id })).actions);
  expect(rows.map(({ rpc }) => rpc.slice(rpc.indexOf('/') + 1))).toEqual([
    'CreatePortalLink',
    'IssueToken',
  ]);
  const text = rows.map((row) => Object.values(row).join(' ')).join(' ');
  expect(text).not.toContain(url.split('#')[1]);
  expect(text).not.toContain(secret);
});

test('an action that fails has created nothing', async () => {
  await expect(access().issueKey({ organizationId, scopes: ['x'] })).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
  const [action] = (await list({ action: 'IssueKey' })).actions;
  expect(action).toMatchObject({ outcome: 'VALIDATION', createdId: '' });
});

test('changes only are commands, also denied ones, and no read, however often it was repeated', async () => {
  const support = under.client(
    AccessService,
    'access',
    await tokenOf(under.database, ['support'], 'Sam'),
  );
  await withRequestId('one-page', async () => {
    for (let n = 0; n < 5; n++) await support.listKeys({ organizationId });
    await support.listOrganizations({});
    await expect(support.setKeyLimits({ id: organizationId })).rejects.toBeDefined();
  });
  expect((await names({ operator: 'Sam' })).length).toBe(7);
  expect(await names({ operator: 'Sam', changesOnly: true })).toEqual(['SetKeyLimits']);
  const [newest] = (await list({ changesOnly: true, pageSize: 1 })).actions;
  expect(newest).toMatchObject({ operatorName: 'Sam', outcome: 'denied' });
});
