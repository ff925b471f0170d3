import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answersIn, faultOf, type Answer as RawAnswer } from '../hostile/answers.ts';
import { goodRequest, type Known, routes } from '../hostile/good-requests.ts';
import { type Refused, refusedCredentials } from '../hostile/refused-credentials.ts';
import { bytesOf } from '../hostile/request.ts';
import { tableText } from '../hostile/table.ts';
import { send } from '../hostile/wire.ts';
import { type Mesh, startMesh } from '../mesh.ts';
import { type Answer, orderBody, partner } from '../partner.ts';

type Route = (typeof routes)[number];

const nobodys = '01900000-0000-7000-8000-000000000000';
const theirUrl = 'https://127.0.0.1:9/theirs';

let mesh: Mesh;
let port: number;
let known: Known;
let refused: Refused[];
/** The first organisation's, which the second one must not get at. */
let theirs: { order: Answer['body']; endpoint: Answer['body']; locationId: string };

beforeAll(async () => {
  mesh = await startMesh({ env: { GATEWAY_FAILED_AUTH_PER_MINUTE: '100000' } });
  port = Number(new URL(mesh.file().gateways[0]!).port);
  refused = await refusedCredentials(mesh);
  const { post } = partner(mesh);
  const order = (await post('/orders', orderBody({ external_id: 'theirs' }))).body;
  const endpoint = (await post('/webhooks', { url: theirUrl })).body;
  theirs = { order, endpoint, locationId: order.pickup_location.id };
  known = {
    key: mesh.file().organizations[0]!.keys.all,
    orderId: order.id,
    endpointId: endpoint.id,
  };
}, 120_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

/** A whole, good request of this route, but for its credentials. */
const ask = async (route: Route, authorization: readonly string[]): Promise<RawAnswer> => {
  const good = goodRequest(route, known, 1);
  const others = good.headers.filter(([name]) => name !== 'Authorization');
  const own = authorization.map((value) => ['Authorization', value] as const);
  const { bytes } = await send(port, [bytesOf({ ...good, headers: [...others, ...own] })]);
  return answersIn(bytes, () => false)[0]!;
};

/** @returns `ok`, `–` where there is no such case, or what was answered instead. */
const refusedCell = async (route: Route, how: Refused): Promise<string> => {
  const authorization = how.headersFor(route.scope);
  if (!authorization) return '–';
  const answer = await ask(route, authorization);
  const code = answer.body === '' ? undefined : JSON.parse(answer.body).error?.code;
  const fits =
    answer.status === how.status &&
    code === how.code &&
    faultOf(answer) === undefined &&
    (how.status === 401) === (answer.headers['www-authenticate'] === 'Bearer') &&
    (how.status === 401) === (answer.headers['x-ratelimit-limit'] === undefined);
  return fits ? 'ok' : `${answer.status} ${code}`;
};

const volatile = /^(x-request-id|date|x-ratelimit-.*)$/;
/** All of an answer but its id, its time and the budget; an id that was asked for is no matter. */
const comparable = ({ status, headers, text }: Answer, asked: string): string =>
  JSON.stringify([
    status,
    [...headers].filter(([name]) => !volatile.test(name)).sort(),
    text.replaceAll(asked, '<asked>'),
  ]);

/** How the second organisation reaches for what is the first one's. */
const reaches: Readonly<Record<string, () => Promise<boolean>>> = {
  ping: async () => (await other().get('/ping')).body.organization === 'Other Clinic',
  createOrder: () =>
    alike(
      (id) => other().post('/orders', orderBody({ pickup: { location_id: id } })),
      theirs.locationId,
    ),
  listOrders: () =>
    alike((name) => other().get(`/orders?external_id=${name}`), 'theirs', 'nobodys'),
  listLocations: async () => (await other().get('/locations')).text === '[]',
  createLocation: async () => {
    const { label, street, zip, city } = theirs.order.pickup_location;
    const { status, body } = await other().post('/locations', { label, street, zip, city });
    return status === 201 && body.id !== theirs.locationId;
  },
  listWebhooks: async () => (await other().get('/webhooks')).text === '[]',
  createWebhook: async () => {
    const { status, body } = await other().post('/webhooks', { url: theirUrl });
    return status === 201 && body.id !== theirs.endpoint.id;
  },
};

const other = () => partner(mesh, mesh.file().organizations[1]!.keys.all);

const alike = async (
  reach: (id: string) => Promise<Answer>,
  their: string,
  nobody = nobodys,
): Promise<boolean> =>
  comparable(await reach(their), their) === comparable(await reach(nobody), nobody);

/** Whether a route tells what is another organisation's no more than what is nobody's. */
const reachCell = async (route: Route): Promise<string> => {
  const own = reaches[route.name];
  if (own) return (await own()) ? 'ok' : 'told';
  const their = route.path.includes(':order_id') ? theirs.order.id : theirs.endpoint.id;
  const body = goodRequest(route, known, 2).body;
  const reach = (id: string) =>
    other().call(
      route.method,
      route.path.replace(/:\w+/, id),
      body.length > 0 ? JSON.parse(`${body}`) : undefined,
    );
  const { status } = await reach(their);
  return status === 404 && (await alike(reach, their)) ? 'ok' : `told ${status}`;
};

test('every route is closed to every kind of bad credentials, and to other organisations', async () => {
  const state = async () => {
    const { get } = partner(mesh);
    const paths = ['/orders', `/orders/${theirs.order.id}/events`, '/locations', '/webhooks'];
    return (await Promise.all(paths.map((path) => get(path)))).map(({ text }) => text);
  };
  const before = await state();
  const lines: string[][] = [];
  for (const route of routes) {
    const cells: string[] = [];
    for (const how of refused) cells.push(await refusedCell(route, how));
    cells.push(await reachCell(route));
    lines.push([`${route.method} ${route.path}`, ...cells]);
  }
  const cells = lines.flatMap(([, ...rest]) => rest).filter((cell) => cell !== '–');
  const passed = cells.filter((cell) => cell === 'ok').length;
  const head = ['', ...refused.map(({ name }) => name), "another's"];
  process.stdout.write(
    `\n${tableText([head, ...lines])}\n${routes.length} routes × ${head.length - 1} kinds: ${passed} of ${cells.length} cells pass\n\n`,
  );
  expect(passed).toBe(cells.length);
  expect(cells).toHaveLength(routes.length * (head.length - 1) - 1); // ping needs no scope
  expect(await state()).toEqual(before);
}, 120_000);
