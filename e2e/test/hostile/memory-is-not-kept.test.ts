/**
 * Partners who send nonsense and partners who do not read on: one stack, whose memory is measured.
 * `FUZZ_SEED=7` mutates the requests in other ways.
 */
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { createOrder, inLanes } from '../../load.ts';
import { unlimited } from '../../local-stack.ts';
import { orderBody, partner } from '../../partner.ts';
import { seeded } from '../../random.ts';
import { size } from '../experiments.ts';
import { ownStack } from '../test-stack.ts';
import { mutate, type RawRequest, whole } from './mutate.ts';
import { orderTexts } from './order-texts.ts';

const requestCount = size(500, 10_000);
const warmUpCount = 400;
const lanes = 16;
const growthMaxBytes = 50 * 1024 * 1024;
const seed = Number(process.env.FUZZ_SEED ?? 4711);

/** For the local stack's environment: each process opens its inspector on a free port on demand. */
const inspectable = { NODE_OPTIONS: '--inspect-port=0' };

const stack = ownStack({
  kafka: false,
  env: {
    ...inspectable,
    ...unlimited,
    WEBHOOKS_CONNECT_TIMEOUT: '100ms', // how long an unreachable handshake takes
  },
});

/**
 * The resident memory of a service's first process after all garbage is collected: what somebody
 * still holds. Without that, its size tells how lazily V8 collects and not what a request has left.
 */
const keptBytes = async (name: string): Promise<number> => {
  const { pid } = stack.file().services.find((service) => service.name === name)!;
  process.kill(pid, 'SIGUSR1');
  const log = join(stack.dir, 'logs', `${name}-0.log`);
  const url = await until(
    () => /Debugger listening on (ws:\S+?)["\s\\]/.exec(readFileSync(log, 'utf8'))?.[1],
    { what: `the inspector of ${name}` },
  );
  const inspector = new WebSocket(url);
  await new Promise((resolve, reject) => {
    inspector.onopen = resolve;
    inspector.onerror = reject;
  });
  for (const id of [1, 2]) {
    const answered = new Promise((resolve) => {
      inspector.onmessage = resolve;
    });
    inspector.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await answered;
  }
  inspector.close();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
};

/** Good requests of every operation, as bytes. */
const goodRequests = async (): Promise<RawRequest[]> => {
  const { organizations, baseUrl } = stack.file();
  const { pathname, host } = new URL(baseUrl);
  const order = await createOrder(stack, 'fuzz');
  // nobody listens there: the handshake fails at once
  const hook = { url: 'https://127.0.0.1:1/hook', event_filter: ['order.sealed'] };
  const { body: endpoint } = await partner(stack).post('/webhooks', hook);
  const raw = (method: string, path: string, body?: object): RawRequest => ({
    method,
    target: `${pathname}${path}`,
    headers: [
      ['Host', host],
      ['Authorization', `Bearer ${organizations[0]!.keys.all}`],
      ...(body ? [['Content-Type', 'application/json'] as const] : []),
    ],
    body: Buffer.from(body ? JSON.stringify(body) : ''),
  });
  const location = { label: 'L', street: 'Weg 1', zip: '10117', city: 'Berlin', notes: 'n' };
  const full = orderBody({ notes: 'n', pickup_detail: 'p', sla: 'EXPRESS', auto_dispatch: false });
  return [
    raw('GET', '/ping'),
    raw('POST', '/orders', full),
    raw('POST', '/orders', orderBody()),
    raw('GET', '/orders?limit=5&status=DRAFT&updated_since=2026-01-01'),
    raw('GET', `/orders/${order}`),
    raw('POST', `/orders/${order}/cancel`, { reason: 'r' }),
    raw('POST', `/orders/${order}/submit`),
    raw('GET', `/orders/${order}/events`),
    raw('GET', `/orders/${order}/custody/proof`),
    raw('GET', '/webhooks'),
    raw('POST', '/locations', location),
    raw('POST', '/webhooks', hook),
    raw('GET', `/webhooks/${endpoint.id}`),
    raw('PATCH', `/webhooks/${endpoint.id}`, { event_filter: null, disabled: true }),
    raw('POST', `/webhooks/${endpoint.id}/verify`),
    raw('POST', `/webhooks/${endpoint.id}/test`),
    { ...raw('GET', '/ping'), target: '/custody/checkpoint' },
    { ...raw('GET', '/ping'), target: '/custody/tile/0/000.p/1' },
  ];
};

/** Sends bytes and gives back what comes, until it is whole, the server closes, or nothing comes. */
const exchange = (port: number, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1');
    const done = () => {
      clearTimeout(silence);
      socket.destroy();
      resolve(heard);
    };
    // a request that was cut off is waited for by the server; we have better things to do
    let silence = setTimeout(done, 700);
    const heardNothingFor = (ms: number) => {
      clearTimeout(silence);
      silence = setTimeout(done, ms);
    };
    socket
      .on('connect', () => socket.write(bytes))
      .on('data', (part) => {
        heard += part.toString('latin1');
        heardNothingFor(isWhole(heard) ? 5 : 200);
      })
      .on('error', () => {})
      .on('close', done);
  });

const answersIn = (heard: string) =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n((?:[^\r]+\r\n)*)\r\n/g)].map((match) => {
    const [all, status = '', headers = ''] = match;
    const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0);
    const at = match.index + all.length;
    return {
      status: Number(status),
      length,
      body: Buffer.from(heard.slice(at, at + length), 'latin1').toString(),
    };
  });

const isWhole = (heard: string): boolean => {
  const last = answersIn(heard).at(-1);
  return last !== undefined && last.status >= 200 && Buffer.byteLength(last.body) >= last.length;
};

/** What is wrong with an answer; undefined where nothing is. */
const faultOf = ({ status, body }: { status: number; body: string }): string | undefined => {
  if (status >= 500) return `${status}`;
  if (status < 400 || body === '') return undefined;
  if (/node_modules|\.ts:|node:|\bat \S+ \(|select |Error:/.test(body))
    return 'tells of its inside';
  const parsed = JSON.parse(body);
  if (status === 422 && Array.isArray(parsed.detail))
    return parsed.detail.every(
      ({ loc, msg, type }: { loc: unknown; msg: unknown; type: unknown }) =>
        Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string',
    )
      ? undefined
      : 'not the form of a validation error';
  const { code, message } = parsed.error ?? {};
  return /^[A-Z_]+$/.test(code) && typeof message === 'string' ? undefined : 'not the envelope';
};

test(`seed ${seed}: no 5xx, no word of the inside, no memory kept, no text changed`, async () => {
  const random = seeded(seed);
  const requests = await goodRequests();
  const port = Number(new URL(stack.file().baseUrl).port);
  const faults: { sent: string; heard: string; fault: string }[] = [];
  const statuses = new Map<number, number>();
  const changed: unknown[] = [];
  const one = async (n: number) => {
    const base = requests[n % requests.length]!;
    const sent = mutate(random, base);
    const heard = await exchange(port, sent);
    for (const answer of answersIn(heard)) {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      let fault: string | undefined;
      try {
        fault = faultOf(answer);
      } catch {
        fault = 'not JSON';
      }
      if (fault) faults.push({ sent: sent.toString('latin1').slice(0, 600), heard, fault });
      if (answer.status === 201 && base.target.endsWith('/orders'))
        changed.push(...differences(sent, answer.body));
    }
  };
  await inLanes(warmUpCount, lanes, one); // the code of every refusal is loaded
  const before = await keptBytes('gateway');
  await inLanes(requestCount, lanes, one);
  const after = await keptBytes('gateway');
  process.stdout.write(
    `${warmUpCount + requestCount} spoilt requests, seed ${seed}: ${[...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status} × ${count}`)
      .join(', ')}; resident memory ${Math.round((after - before) / 1024 / 1024)} MB more\n`,
  );
  expect(faults.slice(0, 5)).toEqual([]);
  expect(changed).toEqual([]);
  expect(after - before).toBeLessThan(growthMaxBytes);
  // a handler whose client has gone holds its organization's slot until it ends, 10 s at most
  await until(async () => (await partner(stack).get('/ping')).status === 200, {
    deadlineMs: 15_000,
    what: 'free slots of the organization',
  });
  for (const request of requests.slice(0, 3))
    expect(answersIn(await exchange(port, whole(request)))[0]!.status).toBeLessThan(300);
}, 240_000);

/** Texts of an accepted order that did not come back as they were sent. */
const differences = (sent: Buffer, answered: string): unknown[] => {
  const text = sent.toString('utf8');
  const body = /\r\n\r\n\ufeff?(\{.*)/s
    .exec(text)?.[1]
    ?.replace(/\r\n0\r\nTrailer: x\r\n\r\n$/, '');
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(body ?? '');
  } catch {
    return []; // two bodies, or chunks: what was taken is not what stands here as one text
  }
  const order = JSON.parse(answered);
  return [...orderTexts, 'sla']
    .filter((name) => Object.hasOwn(given, name) && given[name] !== order[name])
    .map((name) => ({ name, given: given[name], shown: order[name] }));
};

const locationCount = 10_000;
const readers = 20;
/** All answers together are about 66 MB; what may be held of each is a page or two. */
const heldMaxBytes = 40 * 1024 * 1024;

const insertLocations = async (): Promise<void> => {
  const { stores, organizations } = stack.file();
  const orders = new Client({ connectionString: stores.postgres.orders });
  await orders.connect();
  await orders.query(
    `insert into locations (id, organization_id, label, street, zip, city, country, address_key,
       lat, lng, created_via_api)
     select gen_random_uuid(), $1, 'Ward ' || n, repeat('Straße ', 8) || n, '10117', 'Berlin', 'DE',
       sha256(n::text::bytea), 52.5, 13.4, true
     from generate_series(1, $2::int) n`,
    [organizations[1]!.id, locationCount],
  );
  await orders.end();
};

const kept = () => Promise.all(['gateway', 'orders'].map((name) => keptBytes(name)));

/** A partner who asks for all locations and does not read on. */
const ask = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { baseUrl, organizations } = stack.file();
    const headers = { authorization: `Bearer ${organizations[1]!.keys.read}` };
    request(`${baseUrl}/locations`, { headers, agent: false }, resolve).once('error', reject).end();
  });

test('twenty slow readers of 10,000 locations each get them all, and hold up nobody', async () => {
  await insertLocations();
  const client = partner(stack, stack.file().organizations[1]!.keys.all);
  const whole = await client.get('/locations'); // whatever grows at the first time has grown now
  expect(whole.body).toHaveLength(locationCount);
  const before = await kept();
  const answers = await Promise.all(Array.from({ length: readers }, ask));
  // all that the sockets take has been written when an answer stops growing
  await until(async () => (await client.get('/ping')).status === 200, {
    what: 'an answer beside them',
  });
  const grown = (await kept()).map((bytes, n) => bytes - before[n]!);
  expect(grown.filter((bytes) => bytes > heldMaxBytes)).toEqual([]);
  const bodies = await Promise.all(answers.map((answer) => text(answer)));
  const ids = whole.body.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(ids.toSorted());
  expect(bodies.filter((body) => body !== whole.text)).toEqual([]);
}, 120_000);
