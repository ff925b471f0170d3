import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { raw, statusesIn, until } from '@pto/testing';
import pg from 'pg';
import { createAdmission } from '../../src/admission/admission.ts';
import type { Credentials } from '../../src/admission/key-lookup.ts';
import { RequestContext } from '../../src/admission/request-context.ts';
import type { Backends } from '../../src/backends.ts';
import { routeTable } from '../../src/routes/table.ts';
import {
  call,
  type GatewayUnderTest,
  partnerOf,
  portalSessionOf,
  startGatewayService,
} from '../gateway-service.ts';

const inFlightMax = 8;
const heavyMax = 4;
const waitingMax = 64;

let under: GatewayUnderTest;
/** Orders that the orders service is reading, by organization; each ends when `finish` is called. */
let reading: { organizationId: string; finish(): void }[] = [];
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    timings: { sendMs: 1000 },
    behind: {
      orders: {
        listOrders: ({ organizationId }: { organizationId: string }) =>
          new Promise((resolve) => {
            const finish = () => resolve({ bodies: [], nextCursor: '' });
            reading.push({ organizationId, finish });
          }),
        createOrder: ({ organizationId }: { organizationId: string }) =>
          new Promise((resolve) => {
            const finish = () => resolve({ body: Buffer.from('{}'), replayed: false });
            reading.push({ organizationId, finish });
          }),
        cancelOrder: ({ organizationId }: { organizationId: string }) =>
          new Promise((resolve) => {
            reading.push({ organizationId, finish: () => resolve({}) });
          }),
      },
      webhooks: {
        createEndpoint: ({ organizationId }: { organizationId: string }) =>
          new Promise((resolve) => {
            const finish = () => resolve({ body: Buffer.from('{}'), replayed: false });
            reading.push({ organizationId, finish });
          }),
      },
      locations: {
        // more than the sockets buffer: the response is sent only as fast as it is read
        listLocations: async ({ afterId }) => ({
          locations: Array.from({ length: 50 }, () => ({ label: 'L'.repeat(30_000) })),
          nextId: afterId.length < 30 ? `${afterId}x` : '',
        }),
      },
    },
  });
});
afterAll(() => under.stop());
afterEach(() => {
  for (const { finish } of reading) finish();
  reading = [];
});

const list = (key: string) => call('GET', `${under.baseUrls[0]}/orders`, { key });
const ping = (key: string) => call('GET', `${under.baseUrls[0]}/ping`, { key });
/** Returns the status of a response whose body is not read; that of locations is large here. */
const beginsWith = async (key: string, path: string): Promise<number> => {
  const response = await fetch(`${under.baseUrls[0]}/${path}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(10_000),
  });
  await response.body!.cancel();
  return response.status;
};
/** Lets everything that is being read end until the promises are settled. */
const finishAll = async <T>(
  answers: readonly Promise<T>[],
  look: () => void = () => {},
): Promise<T[]> => {
  let isOver = false;
  const all = Promise.all(answers).finally(() => {
    isOver = true;
  });
  await until(
    () => {
      look();
      for (const { finish } of reading.splice(0)) finish();
      return isOver;
    },
    { what: 'all responses' },
  );
  return all;
};
const count = (of: readonly number[], status: number) => of.filter((one) => one === status).length;

test('lists that wait delay neither light requests nor another organization', async () => {
  const busy = await partnerOf(under);
  const calm = await partnerOf(under);
  const statuses: number[] = [];
  const answers = Array.from({ length: 100 }, async () => {
    statuses.push((await list(busy.key)).status);
  });
  await until(() => reading.length === inFlightMax, { what: 'all slots of lists' });
  // 8 are in flight, 64 wait, and only those beyond are rejected
  await until(() => statuses.length === 100 - inFlightMax - waitingMax, { what: 'the rejections' });
  expect(new Set(statuses)).toEqual(new Set([429]));
  for (const { key } of [busy, calm])
    for (let n = 0; n < 10; n++) expect((await ping(key)).status).toBe(200);
  expect(reading.map((one) => one.organizationId)).toEqual(
    Array.from({ length: inFlightMax }, () => busy.organizationId),
  );
  await finishAll(answers);
  expect(count(statuses, 200)).toBe(inFlightMax + waitingMax);
});

test('a flood through the portal delays no list of its organization’s integration', async () => {
  const { key } = await partnerOf(under);
  const session = await portalSessionOf(under, key);
  const statuses: number[] = [];
  const flood = Array.from({ length: 100 }, async () => {
    statuses.push((await list(session)).status);
  });
  await until(() => statuses.length === 100 - inFlightMax - waitingMax, { what: 'a full queue' });
  const own = list(key);
  await until(() => reading.length === inFlightMax + 1, { what: 'the list of the integration' });
  reading.at(-1)!.finish();
  expect((await own).status).toBe(200);
  await finishAll(flood);
});

test('72 lists at once are all answered, and the next one has Retry-After 1', async () => {
  const { key } = await partnerOf(under, { reads: 100 });
  const answers = Array.from({ length: inFlightMax + waitingMax }, () => list(key));
  await until(() => reading.length === inFlightMax, { what: 'all slots' });
  const { status, headers, body } = await until(
    async () => {
      const answer = await list(key);
      return answer.status === 429 && answer;
    },
    { what: 'a full queue' },
  );
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(headers.get('retry-after')).toBe('1');
  const all = await finishAll(answers);
  expect(new Set(all.map((answer) => answer.status))).toEqual(new Set([200]));
});

/** An order whose body is heavier or lighter than 16 KiB. */
const create = (key: string, bytes: number, headers: Record<string, string> = {}) =>
  call('POST', `${under.baseUrls[0]}/orders`, {
    key,
    headers,
    body: {
      pickup: { address_text: 'abc' },
      dropoff: { address_text: 'abc' },
      pickup_window_start: '2030-01-01T08:00:00Z',
      items: Array.from({ length: Math.ceil(bytes / 100) }, () => ({
        goods_type: 'g'.repeat(80),
      })),
    },
  });

test('60 heavy bodies at once are all handled, and light requests do not wait for them', async () => {
  const { key } = await partnerOf(under);
  const heavy = Array.from({ length: 59 }, () => create(key, 100_000));
  await until(() => reading.length === heavyMax, { what: 'all slots of heavy requests' });
  const light = create(key, 1000);
  await until(() => reading.length === heavyMax + 1, { what: 'the light request' });
  expect((await ping(key)).status).toBe(200);
  reading.pop()!.finish();
  expect((await light).status).toBe(201);
  let most = 0;
  const all = await finishAll(heavy, () => {
    most = Math.max(most, reading.length);
  });
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
  expect(most).toBeLessThanOrEqual(heavyMax);
});

test('heavy bodies are worked on one at a time, files one of an organization and two in all', async () => {
  const telemetry = createTelemetry({ service: 'gateway', write: () => {} });
  const admission = createAdmission(8, telemetry);
  let [running, most] = [0, 0];
  const work = async (organization: string, kind: 'heavy' | 'file') => {
    const context = new RequestContext();
    context.credentials = { sharesSlotsAs: organization } as Credentials;
    await admission.inTurn(context, kind, performance.now(), async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
  };
  await Promise.all(Array.from({ length: 40 }, (_, n) => work(`${n % 2}`, 'heavy')));
  expect(most).toBe(1);
  await Promise.all(Array.from({ length: 40 }, () => work('one', 'file')));
  expect(most).toBe(1);
  await Promise.all(Array.from({ length: 40 }, (_, n) => work(`${n % 3}`, 'file')));
  expect(most).toBe(2);
});

test.each([
  ['light bodies', 16 * 1024, 128],
  ['heavy bodies', 256 * 1024, 64],
  ['files', 8 * 1024 * 1024, 3],
])(
  'the names of one organization hold one part of %s, beside which others begin',
  async (_, bytes, part) => {
    const admission = createAdmission(8, createTelemetry({ service: 'gateway', write: () => {} }));
    const contexts: RequestContext[] = [];
    let held = 0;
    const hold = async (id: string, sharesSlotsAs = id) => {
      const context = new RequestContext();
      contexts.push(context);
      context.credentials = { sharesSlotsAs, organization: { id } } as Credentials;
      if (await admission.holdBytes(context, bytes)) held++;
    };
    for (let n = 0; n < part / 2 + 20; n++) {
      void hold('o');
      void hold('o', 'portal:o');
    }
    await hold('p');
    expect(held).toBe(part + 1);
    expect(
      ['o', 'portal:o', 'p'].map((name) =>
        admission.isWaitedFor(
          contexts.find(({ credentials }) => credentials!.sharesSlotsAs === name)!,
          bytes,
        ),
      ),
    ).toEqual([false, false, false]);
    for (const context of contexts) context.close();
  },
);

test('sixty requests that wait for receivers run at once, and delay no other request', async () => {
  const { key } = await partnerOf(under);
  const create = () =>
    call('POST', `${under.baseUrls[0]}/webhooks`, { key, body: { url: 'https://a.example/hook' } });
  const creations = Array.from({ length: 60 }, create); // the writes of a minute
  await until(() => reading.length === 60, { what: 'sixty handshakes' });
  expect((await ping(key)).status).toBe(200);
  const all = await finishAll(creations);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
});

test('a list of one order waits for no other list', async () => {
  const { key } = await partnerOf(under);
  const held = Array.from({ length: inFlightMax + 10 }, () => list(key));
  await until(() => reading.length === inFlightMax, { what: 'all slots of lists' });
  const light = ['limit=1', 'external_id=A-1&status=CLOSED'].map((query) =>
    call('GET', `${under.baseUrls[0]}/orders?${query}`, { key }),
  );
  await until(() => reading.length === inFlightMax + 2, { what: 'both light lists' });
  for (const { finish } of reading.slice(-2)) finish();
  for (const { status } of await Promise.all(light)) expect(status).toBe(200);
  await finishAll(held);
});

test('every operation that lists has a lane of its own, unless its list is short', () => {
  const light = routeTable({} as Backends, 'sandbox').filter(
    ({ name, path, lane }) => (name.startsWith('list') || path.endsWith('/proof')) && !lane,
  );
  // 20 endpoints, and the steps that one order can take
  expect(light.map(({ name }) => name)).toEqual(['listWebhooks', 'listSandboxSteps']);
});

test('lists of events, locations and requests wait for no list of orders', async () => {
  const { key } = await partnerOf(under);
  const held = Array.from({ length: inFlightMax + 10 }, () => list(key));
  await until(() => reading.length === inFlightMax, { what: 'all slots of lists' });
  for (const path of ['events', 'locations', 'requests']) {
    expect([path, await beginsWith(key, path)]).toEqual([path, 200]);
  }
  await finishAll(held);
});

test('heavy bodies of two organizations are handled beside each other', async () => {
  const [one, other] = [await partnerOf(under), await partnerOf(under)];
  const heavy = [create(one.key, 100_000), create(other.key, 100_000)];
  await until(() => reading.length === 2, { what: 'both' });
  await finishAll(heavy);
});

test('a body without a stated length waits with the heavy ones', async () => {
  const { key } = await partnerOf(under);
  const held = Array.from({ length: heavyMax }, () => create(key, 100_000));
  await until(() => reading.length === heavyMax, { what: 'all slots of heavy requests' });
  const order = (items: number) =>
    JSON.stringify({
      pickup: { address_text: 'abc' },
      dropoff: { address_text: 'abc' },
      pickup_window_start: '2030-01-01T08:00:00Z',
      items: Array.from({ length: items }, () => ({ goods_type: 'g'.repeat(80) })),
    });
  const chunked = (body: string) => {
    const parts = body.match(/.{1,8000}/gs)!.map((part) => Buffer.from(part));
    return raw(
      under.port,
      [
        `POST /api/partner/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
        ...parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n']),
        '0\r\n\r\n',
      ],
      { quietMs: 200 },
    );
  };
  const waiting = [chunked(order(1000)), chunked(order(10))];
  expect(await ping(key)).toMatchObject({ status: 200 });
  expect(reading).toHaveLength(heavyMax);
  const all = await finishAll([...waiting, ...held.map((one) => one.then(() => ''))]);
  expect(all.slice(0, 2).map(statusesIn)).toEqual([[201], [201]]);
});

test('a 429 of a used-up budget takes no slot from the other keys of its organization', async () => {
  const held = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_REJECTION_HOLD: '10m' },
  });
  try {
    const { organizationId, key } = await partnerOf(held, { reads: 1 });
    const other = await held.operator.issueKey({ organizationId, scopes: ['orders:read'] });
    const pingOf = (secret: string) => call('GET', `${held.baseUrls[0]}/ping`, { key: secret });
    expect((await pingOf(key)).status).toBe(200);
    const rejected = Array.from({ length: 80 }, () => open(key, 'GET', '/ping', '', held.port));
    for (let n = 0; n < 20; n++) expect((await pingOf(other.secret)).status).toBe(200);
    for (const socket of rejected) socket.destroy();
  } finally {
    await held.stop();
  }
});

const open = (key: string, method: string, path: string, body = '', port = under.port) => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const head = [
    `${method} /api/partner/v1${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    ...(body && ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
};

test('a client that disconnects while it waits frees its place', async () => {
  const { key } = await partnerOf(under);
  const held = Array.from({ length: inFlightMax }, () => list(key));
  await until(() => reading.length === inFlightMax, { what: 'all slots' });
  const gone = Array.from({ length: waitingMax }, () => open(key, 'GET', '/orders'));
  const probes: Promise<number>[] = [];
  const statuses: number[] = [];
  const isRejected = () => {
    probes.push(
      list(key).then(({ status }) => {
        statuses.push(status);
        return status;
      }),
    );
    return statuses.includes(429);
  };
  await until(isRejected, { what: 'a full queue' });
  for (const socket of gone) socket.destroy();
  await until(() => !statuses.splice(0).includes(429) && probes.length > 0 && !isRejected(), {
    what: 'a place in the queue',
  });
  const ended = await finishAll([
    ...held.map((one) => one.then(({ status }) => status)),
    ...probes,
  ]);
  expect(count(ended, 200)).toBeGreaterThan(inFlightMax);
});

test('a client that disconnects keeps its slot until the handler has ended', async () => {
  const { key } = await partnerOf(under);
  const order = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
  const sockets = Array.from({ length: inFlightMax }, () =>
    open(key, 'POST', `/orders/${order}/cancel`, '{"reason":"r"}'),
  );
  await until(() => reading.length === inFlightMax, { what: 'all slots' });
  for (const socket of sockets) socket.destroy();
  await until(() => under.logged.filter((line) => line.includes('"status":499')).length >= 8, {
    what: 'all connections closed',
  });
  let isAnswered = false;
  const waiting = ping(key).then(({ status }) => {
    isAnswered = true;
    return status;
  });
  expect((await ping((await partnerOf(under)).key)).status).toBe(200);
  expect(isAnswered).toBe(false);
  for (const { finish } of reading) finish();
  expect(await waiting).toBe(200);
});

/** As many requests as there are slots are in flight at once, and are responded to. */
const expectEverySlot = async (key: string) => {
  const answers = Array.from({ length: inFlightMax }, () => list(key));
  await until(() => reading.length === inFlightMax, { what: 'every slot to be free' });
  for (const { finish } of reading) finish();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
};

test('pipelined requests take one slot after the other, and none after their connection closes', async () => {
  const { key } = await partnerOf(under);
  const one = `GET /api/partner/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const socket = connect(under.port, '127.0.0.1').on('error', () => {});
  socket.write(one.repeat(12));
  for (let n = 0; n < 3; n++) {
    await until(() => reading.length === 1, { what: 'the next request' });
    reading.pop()!.finish();
  }
  await until(() => reading.length === 1, { what: 'the next request' });
  socket.destroy();
  reading = [];
  await expectEverySlot(key);
});

test('a connection that closes while its key is looked up takes no slot', async () => {
  const { key } = await partnerOf(under);
  const database = new pg.Client({ connectionString: under.database.superuserUrl });
  await database.connect();
  await database.query('begin; lock table api_keys in access exclusive mode');
  const sockets = Array.from({ length: inFlightMax }, () => open(key, 'GET', '/orders'));
  const blocked = async () => {
    await database.query('select pg_stat_clear_snapshot()'); // of an earlier look
    const text = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
    return (await database.query(text)).rowCount;
  };
  await until(blocked, { what: 'the key lookup' });
  const before = under.logged.filter((line) => line.includes('"status":499')).length;
  for (const socket of sockets) socket.destroy();
  await until(
    () => under.logged.filter((line) => line.includes('"status":499')).length >= before + 8,
    { what: 'all connections closed' },
  );
  await database.query('commit');
  await database.end();
  await expectEverySlot(key);
});

test('a response that is not read loses its slot at the send timeout', async () => {
  const { key } = await partnerOf(under);
  const lost = () =>
    under.logged.filter((line) => line.includes('"route":"/locations","status":499')).length;
  const before = lost();
  const sockets = Array.from({ length: inFlightMax }, () => open(key, 'GET', '/locations').pause());
  await until(() => lost() === before + inFlightMax, {
    deadlineMs: 10_000,
    what: 'the send timeout of every response',
  });
  const again = Array.from({ length: inFlightMax }, () => beginsWith(key, 'locations'));
  expect(new Set(await Promise.all(again))).toEqual(new Set([200]));
  for (const socket of sockets) socket.destroy();
});

test('a slot that is given at the moment of the close is released', async () => {
  const telemetry = createTelemetry({ service: 'gateway', write: () => {} });
  const admission = createAdmission(1, telemetry);
  const enter = () => {
    const context = new RequestContext();
    context.credentials = { sharesSlotsAs: 'o' } as Credentials;
    return { entered: admission.enter(context, 'light'), close: () => context.close() };
  };
  const first = enter();
  expect(await first.entered).toBe(true);
  const second = enter();
  first.close();
  await null; // its slot goes to the second, which closes before it can go on
  second.close();
  expect(await second.entered).toBe(false);
  const third = enter();
  expect(await third.entered).toBe(true);
  third.close();
});
