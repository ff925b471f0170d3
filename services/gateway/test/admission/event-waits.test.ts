/** Requests that wait for events: they hold no slot, and a bounded number of them waits. */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import { placesMax } from '../../src/admission/admission.ts';
import {
  type Answer,
  call,
  type GatewayUnderTest,
  partnerOf,
  portalSessionOf,
  type Setup,
  startGatewayService,
} from '../gateway-service.ts';

const at = '2026-01-15T09:30:00.000Z';
const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const event = {
  ...{ number: 8n, leafIndex: 41n, orderId: id, id, type: 'order.sealed', tsUtc: at },
  ...{ sequence: 3, prevEventHash: 'a', eventHash: 'b' },
  ...{ externalId: 'x', orderStatus: 'SEALED', orderUpdatedAt: at },
};

interface Waiting {
  readonly organizationId: string;
  readonly after: bigint;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  end(found: boolean): void;
  fail(failure: Failure): void;
}

let under: GatewayUnderTest;
/** The calls that wait in custody. */
let waiting: Waiting[];
/** Reads of pages in progress. */
let reading: (() => void)[];
let reads: number;
/** Whether reads of pages wait until the test ends them. */
let isHeld: boolean;
/** Whether pages have the event. */
let isThere: boolean;

const start = (more: Setup = {}) =>
  startGatewayService({
    ...more,
    behind: {
      custody: {
        listOrganizationEvents: async () => {
          reads++;
          const page = isThere
            ? { events: [event], asOf: at, logSize: 42n, checkpoint: 'note' }
            : { events: [], asOf: at, logSize: 41n };
          if (isHeld) await new Promise<void>((resolve) => reading.push(resolve));
          return page;
        },
        waitForOrganizationEvents: ({ organizationId, after, waitMs }, { signal }) =>
          new Promise((resolve, reject) => {
            const end = (found: boolean) => resolve({ found });
            signal.addEventListener('abort', () => end(false));
            waiting.push({ organizationId, after, waitMs, signal, end, fail: reject });
          }),
      },
    },
  });

beforeAll(async () => {
  under = await start();
});
beforeEach(() => {
  [waiting, reading, reads, isHeld, isThere] = [[], [], 0, false, false];
});
afterEach(() => {
  for (const one of waiting) one.end(false);
  for (const end of reading) end();
});
afterAll(() => under.stop());

const requestMaxMs = 60_000;
const events = async (key: string, query = 'after=7&wait=25', { baseUrls } = under) => {
  const response = await fetch(`${baseUrls[0]}/events?${query}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(requestMaxMs),
  });
  const { status, headers } = response;
  const body: Answer['body'] = await response.json();
  return { status, headers, body };
};

const feed = expect.stringMatching(/^[0-9a-f]{16}$/);
const emptyPage = { data: [], next_after: 7, feed, has_more: false, as_of: at, checkpoint: null };

test('a wait ends with the page that is read after it', async () => {
  const { key, organizationId } = await partnerOf(under);
  const answer = events(key, 'after=7&wait=5');
  await until(() => waiting.length === 1, { what: 'the wait' });
  expect(waiting[0]).toMatchObject({ organizationId, after: 7n, waitMs: 5000 });
  isThere = true;
  waiting[0]!.end(true);
  const { status, body } = await answer;
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [
      {
        number: 8,
        event: 'order.sealed',
        occurred_at: at,
        data: {
          order: { id, external_id: 'x', status: 'sealed', updated_at: at, sequence: 3 },
          custody: { sequence: 3, head_hash: 'b' },
        },
        links: { order: `/api/partner/v1/orders/${id}` },
        custody: { id, leaf_index: 41, prev_event_hash: 'a', event_hash: 'b' },
      },
    ],
    next_after: 8,
    feed,
    has_more: false,
    as_of: at,
    checkpoint: 'note',
  });
  // events that are there do not wait
  expect((await events(key)).body.data).toHaveLength(1);
  expect(waiting).toHaveLength(1);
});

test('a wait without an event, or without custody, ends with the empty page of before', async () => {
  const { key } = await partnerOf(under);
  for (const end of [
    (one: Waiting) => one.end(false),
    (one: Waiting) => one.fail(new Failure('SERVICE_UNAVAILABLE', 'no database')),
  ]) {
    const answer = events(key);
    await until(() => waiting.length === 1, { what: 'the wait' });
    end(waiting.pop()!);
    expect(await answer).toMatchObject({ status: 200, body: emptyPage });
  }
  expect(reads).toBe(2);
  expect((await events(key, 'after=7')).body).toEqual(emptyPage);
});

test('64 waiting requests delay no list, no light request and no other organization', async () => {
  const partners = [await partnerOf(under), await partnerOf(under)];
  const answers = partners.flatMap(({ key }) =>
    Array.from({ length: placesMax }, () => events(key)),
  );
  await until(() => waiting.length === 2 * placesMax, { what: 'all to wait' });
  for (const { key } of partners)
    for (const path of ['/orders', '/ping', '/events'])
      expect((await call('GET', `${under.baseUrls[0]}${path}`, { key })).status).toBe(200);
  // all of them are woken at once: each gets the event, and takes its turn for it
  isThere = true;
  for (const one of waiting) one.end(true);
  for (const { status, body } of await Promise.all(answers))
    expect([status, body.data?.length]).toEqual([200, 1]);
});

test('the 65th waiting request gets its empty page at once, and one that ends makes room', async () => {
  const { key } = await partnerOf(under);
  const answers = Array.from({ length: placesMax }, () => events(key));
  await until(() => waiting.length === placesMax, { what: 'all to wait' });
  for (let n = 0; n < 3; n++)
    expect(await events(key)).toMatchObject({ status: 200, body: emptyPage });
  expect(waiting).toHaveLength(placesMax);
  waiting[0]!.end(false);
  await answers[0];
  const next = events(key);
  await until(() => waiting.length === placesMax + 1, { what: 'the next wait' });
  for (const one of waiting) one.end(false);
  expect((await next).status).toBe(200);
  await Promise.all(answers);
});

test('waits of the portal leave the places of their organization’s integration', async () => {
  const { key } = await partnerOf(under);
  const session = await portalSessionOf(under, key);
  const answers = Array.from({ length: placesMax }, () => events(session));
  await until(() => waiting.length === placesMax, { what: 'all of the portal to wait' });
  expect(await events(session)).toMatchObject({ status: 200, body: emptyPage });
  const own = events(key);
  await until(() => waiting.length === placesMax + 1, { what: 'the integration to wait' });
  for (const one of waiting) one.end(false);
  for (const { status } of await Promise.all([...answers, own])) expect(status).toBe(200);
});

test('a woken request takes a slot for its read', async () => {
  const gateway = await start({ environment: { GATEWAY_REQUESTS_IN_FLIGHT: '2' } });
  const { key } = await partnerOf(gateway);
  const answers = Array.from({ length: 10 }, () => events(key, 'after=7&wait=25', gateway));
  await until(() => waiting.length === 10, { what: 'all to wait' });
  [isHeld, isThere] = [true, true];
  for (const one of waiting) one.end(true);
  for (let n = 0; n < 5; n++) {
    await until(() => reading.length === 2, { what: 'two reads' });
    for (const end of reading.splice(0)) end();
  }
  for (const { body } of await Promise.all(answers)) expect(body.data).toHaveLength(1);
  await gateway.stop();
});

test('a client that hangs up ends its wait in custody, and leaves its place', async () => {
  const { key } = await partnerOf(under);
  const open = () => {
    const socket = connect(under.port, '127.0.0.1').on('error', () => {});
    socket.write(
      `GET /api/partner/v1/events?wait=25 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    return socket;
  };
  const sockets = Array.from({ length: placesMax }, open);
  await until(() => waiting.length === placesMax, { what: 'all to wait' });
  for (const socket of sockets) socket.destroy();
  await until(() => waiting.every(({ signal }) => signal.aborted), {
    what: 'the end of the waits',
  });
  const answer = events(key);
  await until(() => waiting.length === placesMax + 1, { what: 'a wait in a free place' });
  waiting.at(-1)!.end(false);
  expect((await answer).status).toBe(200);
});

test('a key that is revoked, or an organization that is disabled, while it waits gets no event', async () => {
  const [one, other, good] = [
    await partnerOf(under),
    await partnerOf(under),
    await partnerOf(under),
  ];
  const answers = [one, other, good].map(({ key }) => events(key));
  await until(() => waiting.length === 3, { what: 'all to wait' });
  await under.operator.revokeKey({ id: one.keyId });
  await under.operator.setOrganizationEnabled({ id: other.organizationId, enabled: false });
  await until(
    async () => (await call('GET', `${under.baseUrls[0]}/ping`, { key: one.key })).status === 401,
    { what: 'the revocation' },
  );
  await until(
    async () => (await call('GET', `${under.baseUrls[0]}/ping`, { key: other.key })).status === 403,
    { what: 'the end of the organization' },
  );
  isThere = true;
  for (const each of waiting) each.end(true);
  const [revoked, disabled, allowed] = await Promise.all(answers);
  expect([revoked!.status, revoked!.body.error.code]).toEqual([401, 'API_KEY_REVOKED']);
  expect([disabled!.status, disabled!.body.error.code]).toEqual([403, 'ORGANIZATION_NOT_ENABLED']);
  expect(allowed!.body.data).toHaveLength(1);
  expect(reads).toBe(4);
});

test('a stopping gateway ends its waits with empty pages at once', async () => {
  const gateway = await start();
  const { key } = await partnerOf(gateway);
  const answers = Array.from({ length: 20 }, () => events(key, 'after=7&wait=25', gateway));
  await until(() => waiting.length === 20, { what: 'all to wait' });
  const begun = performance.now();
  const stopped = gateway.gateways[0]!.stop();
  for (const { status, body, headers } of await Promise.all(answers)) {
    expect([status, body]).toEqual([200, emptyPage]);
    expect(headers.get('connection')).toBe('close');
  }
  await stopped;
  expect(performance.now() - begun).toBeLessThan(4000);
  await gateway.stop();
});

test('the metric counts the requests that wait, however their waits end', async () => {
  const { key } = await partnerOf(under);
  const counted = async () =>
    Number(/^gateway_waiting_requests\{.*\} (\S+)$/m.exec(await under.metrics())?.[1]);
  expect(await counted()).toBe(0);
  const leaving = new AbortController();
  const left = fetch(`${under.baseUrls[0]}/events?wait=25`, {
    headers: { authorization: `Bearer ${key}` },
    signal: leaving.signal,
  }).catch(() => {});
  const answers = Array.from({ length: placesMax - 1 }, () => events(key));
  await until(() => waiting.length === placesMax, { what: 'all to wait' });
  await events(key); // has no place, and so does not wait
  expect(await counted()).toBe(placesMax);
  leaving.abort();
  await left;
  await until(async () => (await counted()) === placesMax - 1, { what: 'the end of the wait' });
  waiting[1]!.fail(new Failure('SERVICE_UNAVAILABLE', 'no database'));
  for (const one of waiting) one.end(true);
  await Promise.all(answers);
  expect(await counted()).toBe(0);
});

test('a wait is no delay in the metric of the latency', async () => {
  const { key } = await partnerOf(under);
  /** Of all requests, and their count. */
  const measured = async () => {
    const text = await under.metrics();
    return ['sum', 'count'].map((of) =>
      [
        ...text.matchAll(
          new RegExp(`^http_server_seconds_${of}\\{.*route="/events".*\\} (\\S+)$`, 'gm'),
        ),
      ].reduce((sum, [, value]) => sum + Number(value), 0),
    ) as [number, number];
  };
  const [secondsBefore, countBefore] = await measured();
  const answer = events(key);
  await until(() => waiting.length === 1, { what: 'the wait' });
  await new Promise((resolve) => setTimeout(resolve, 1500)); // a time that the metric must not have
  waiting[0]!.end(false);
  await answer;
  const seconds = await until(
    async () => {
      const [seconds, count] = await measured();
      return count > countBefore ? seconds : undefined;
    },
    { what: 'the metric' },
  );
  expect(seconds - secondsBefore).toBeLessThan(1);
}, 15_000);
