import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { AccessService } from '@pto/proto/access/v1/access';
import { operatorRoles } from '@pto/proto/callers';
import {
  type OperatorsUnderTest,
  query,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

let under: OperatorsUnderTest;
let access: ReturnType<typeof accessOf>;
let organizationId: string;
let other: string;
const ids = Array.from({ length: 5 }, () => uuidv7());

const accessOf = (credential: string) => under.client(AccessService, 'access', credential);

beforeAll(async () => {
  under = await startOperatorsService();
  access = accessOf(await tokenOf(under.database));
  const create = async () =>
    (await access.createOrganization({ name: 'Demo Clinic', disabled: false, admins: [] }))
      .organization!.id;
  organizationId = await create();
  other = await create();
  for (const organization of [organizationId, other])
    await query(
      under.database.ownerUrl,
      `insert into requests (organization_id, id, key_id, method, path, operation, status, code,
          request_id, duration_ms, left_out, errors, required_scope)
        select $1, id, $2, 'GET', '/orders', 'listOrders', case when n < 3 then 200 else 404 end,
          case when n < 3 then null else 'NOT_FOUND' end, 'request-' || n, n, null,
          case n when 5 then E'missing body.reason\nvalue_error body' end,
          case n when 4 then 'orders:write' end
        from unnest($3::uuid[]) with ordinality as r (id, n)`,
      [organization, uuidv7(), ids],
    );
});
afterAll(() => under.stop());

test.each(operatorRoles)('the role %s reads the log of an organization', async (role) => {
  const own = accessOf(await tokenOf(under.database, [role]));
  const { requests, nextId } = await own.listRequests({ organizationId });
  expect([requests.length, nextId]).toEqual([5, '']);
  expect(requests[0]).toMatchObject({
    id: ids[4],
    at: new Date(Number.parseInt(ids[4]!.replaceAll('-', '').slice(0, 12), 16)).toISOString(),
    method: 'GET',
    path: '/orders',
    operation: 'listOrders',
    status: 404,
    code: 'NOT_FOUND',
    requestId: 'request-5',
    durationMs: 5,
    leftOut: 0,
    requiredScope: '',
  });
  expect(requests.map(({ errors }) => errors.map(({ field, type }) => [field, type]))).toEqual([
    [
      ['body.reason', 'missing'],
      ['body', 'value_error'],
    ],
    ...[[], [], [], []],
  ]);
  expect(requests[1]!.requiredScope).toBe('orders:write');
});

test('pages and filters select within the organization', async () => {
  const found: string[] = [];
  for (let beforeId = ''; ; ) {
    const page = await access.listRequests({ organizationId, pageSize: 2, beforeId });
    found.push(...page.requests.map(({ id }) => id));
    if (page.nextId === '') break;
    beforeId = page.nextId;
  }
  expect(found).toEqual(ids.toReversed());
  const count = async (filter: object) =>
    (await access.listRequests({ organizationId, ...filter })).requests.length;
  expect(await count({ status: '4xx' })).toBe(3);
  expect(await count({ status: '200', method: 'GET' })).toBe(2);
  expect(await count({ method: 'POST' })).toBe(0);
  expect(await count({ requestId: 'request-1' })).toBe(1);
  expect(await count({ requestId: ids[0]! })).toBe(0); // the client chose another one
});

test.each([
  [{ status: '4' }, 'VALIDATION'],
  [{ status: '4xx; drop table requests' }, 'VALIDATION'],
  [{ method: 'get' }, 'VALIDATION'],
  [{ pageSize: 1001 }, 'VALIDATION'],
  [{ beforeId: 'x' }, 'VALIDATION'],
  [{ organizationId: 'x' }, 'NOT_FOUND'],
  [{ organizationId: uuidv7() }, 'NOT_FOUND'],
])('%j is rejected', async (request, kind) => {
  await expect(access.listRequests({ organizationId, ...request })).rejects.toMatchObject({ kind });
});
