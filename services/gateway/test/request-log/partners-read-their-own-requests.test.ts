import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { query } from '../../../operators/test/operators-service.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
let own: Awaited<ReturnType<typeof partnerOf>>;
let other: Awaited<ReturnType<typeof partnerOf>>;

const methods = ['GET', 'POST', 'DELETE'];
const statuses = [200, 201, 404, 422, 429, 503];
/** Null: the client chose none, so that the response has the row's id. */
const requestIds = ['a', 'b', 'c', 'd', null];

/** Requests of both organizations, oldest first: each method with each status, eleven times. */
const rows = Array.from({ length: 198 }, (_, n) => ({
  id: uuidv7(),
  method: methods[n % 3]!,
  status: statuses[Math.floor(n / 3) % 6]!,
  request_id: requestIds[n % 5]!,
}));

beforeAll(async () => {
  under = await startGatewayService();
  own = await partnerOf(under, { reads: 100_000 });
  other = await partnerOf(under, { reads: 100_000 });
  for (const { organizationId, keyId } of [own, other])
    await query(
      under.database.ownerUrl,
      `insert into requests (organization_id, id, key_id, method, path, operation, status, code,
          request_id, duration_ms, left_out)
        select $1, id, $2, method, '/orders', 'listOrders', status, null, request_id, 5, null
        from json_to_recordset($3)
          as r (id uuid, method text, status int, request_id text)`,
      [organizationId, keyId, JSON.stringify(rows)],
    );
});
afterAll(() => under.stop());

const list = (search: string, key = own.key) =>
  call('GET', `${under.baseUrls[0]}/requests${search}`, { key });

/** The ids of all pages, newest first, without the requests of this test's own lists. */
const all = async (filter: string, limit = 100): Promise<string[]> => {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { body, status } = await list(`?limit=${limit}${filter}${cursor}`);
    expect(status).toBe(200);
    const page = body.data as { id: string; operation: string }[];
    ids.push(...page.filter(({ operation }) => operation === 'listOrders').map(({ id }) => id));
    if (body.next_cursor === null) return ids;
    expect(page).toHaveLength(limit);
    cursor = `&cursor=${body.next_cursor}`;
  }
};
const expected = (matches: (row: (typeof rows)[number]) => boolean) =>
  rows
    .filter(matches)
    .map(({ id }) => id)
    .reverse();

describe('the pages of the log', () => {
  test('have every request once, newest first, whatever their size', async () => {
    for (const limit of [7, 66, 100]) expect(await all('', limit)).toEqual(expected(() => true));
  });

  test('have exactly what the filters say, alone and together', async () => {
    const classes = ['2xx', '4xx', '5xx', '1xx'];
    for (const status of ['', ...classes, ...statuses.map(String), '418'])
      for (const method of ['', ...methods])
        for (const requestId of ['', 'c', 'none', rows[4]!.id, rows[3]!.id.toUpperCase()]) {
          const filter = [
            status && `&status=${status}`,
            method && `&method=${method}`,
            requestId && `&request_id=${requestId}`,
          ].join('');
          const isStatus = (of: number) =>
            status.endsWith('xx') ? `${of}`[0] === status[0] : status === '' || `${of}` === status;
          const matching = expected(
            (row) =>
              isStatus(row.status) &&
              (method === '' || row.method === method) &&
              (requestId === '' || (row.request_id ?? row.id) === requestId),
          );
          expect([filter, await all(filter)]).toEqual([filter, matching]);
        }
  });

  test.each([
    '?limit=0',
    '?limit=101',
    '?status=4',
    '?status=xxx',
    '?status=600',
    '?status=4XX',
    '?method=get',
    '?cursor=1',
    '?request_id=',
    '?status=200&status=404',
  ])('reject %s', async (search) => {
    expect((await list(search)).status).toBe(422);
  });
});

test('no cursor, request id or filter shows a request of another organization', async () => {
  const mark = `mark-${crypto.randomUUID()}`;
  const marked = { key: other.key, headers: { 'X-Request-Id': mark } };
  await call('GET', `${under.baseUrls[0]}/ping`, marked);
  const found = async (key: string) => (await list(`?request_id=${mark}`, key)).body.data.length;
  await until(async () => (await found(other.key)) === 1, { what: 'the row of its owner' });
  expect(await found(own.key)).toBe(0);
  const { body } = await list('?limit=1', other.key);
  const after = await list(`?limit=100&cursor=${body.next_cursor}`);
  const keys = new Set(after.body.data.map(({ key_id }: { key_id: string }) => key_id));
  expect([...keys]).toEqual([own.keyId]);
});

test('a request is in the log of its partner as the response was', async () => {
  const response = await call('POST', `${under.baseUrls[0]}/orders?x=1`, {
    key: own.key,
    body: { secret: 'text' },
  });
  const requestId = response.headers.get('x-request-id')!;
  const find = async () => (await list(`?request_id=${requestId}`)).body.data;
  await until(async () => (await find()).length === 1, { what: 'the row' });
  const [row] = await find();
  expect(row).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    method: 'POST',
    path: '/orders',
    operation: 'createOrder',
    status: 422,
    code: null,
    errors: ['pickup', 'dropoff', 'pickup_window_start'].map((name) => ({
      field: `body.${name}`,
      type: 'missing',
    })),
    required_scope: null,
    request_id: requestId,
    duration_ms: expect.any(Number),
    key_id: own.keyId,
    left_out: null,
  });
});
