// Runs in a pod of the cluster as a partner: places orders, moves each to its end by the sandbox's
// courier, reads it, and receives its events at its own endpoint. No request is repeated; with
// REPEAT_MS those are that got no response or 5xx, for so long. Prints its state every second. At
// SIGTERM it ends the orders under way, waits for their events, and prints what is missing, last.
// `GET http://127.0.0.1:8080/?lanes=12&pace=0` changes its pace.
import { once as happened } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createControl } from 'node:http';
import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const { BASE, HOOKS, KEY, RUN, REPEAT_MS = '0' } = process.env;
const api = `${BASE}/api/partner/v1`;
const eventsOfALife = 9;
const eventsWithinMs = 90_000;
const requestMaxMs = 15_000;

const repeatPauseMs = 500;

const closed = [];
const failed = [];
/** Requests that succeeded only when they were repeated: when they began, and how long they took. */
const delayed = [];
/** Delivery ids of each event that arrived, by order and number. */
const received = new Map();
let [requests, placed, lanes, paceMs] = [0, 0, 2, 150];

const tls = {
  cert: readFileSync('/partner-tls/tls.crt'),
  key: readFileSync('/partner-tls/tls.key'),
};
const server = createServer(tls, (request, response) => {
  if (request.method === 'GET') {
    response.end(new URL(request.url, 'https://x').searchParams.get('verification') ?? '');
    return;
  }
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { order } = JSON.parse(Buffer.concat(parts).toString()).data;
    const event = `${order.id} ${order.sequence}`;
    const deliveries = received.get(event) ?? new Set();
    received.set(event, deliveries.add(request.headers['x-service-delivery']));
    response.writeHead(204).end();
  });
});
await happened(server.listen(8443), 'listening');

const once = async (method, path, body, headers) => {
  requests++;
  const response = await fetch(api + path, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(requestMaxMs),
  });
  const text = await response.text();
  if (!response.ok)
    throw Object.assign(new Error(`${response.status} ${text.slice(0, 200)}`), {
      status: response.status,
    });
  return JSON.parse(text);
};

/** @returns what the work returns; null after a failure, which counts. */
const persistently = async (what, work) => {
  const begun = Date.now();
  const at = new Date(begun).toISOString();
  for (let tries = 1; ; tries++)
    try {
      const found = await work(tries);
      if (tries > 1) delayed.push({ at, what, ms: Date.now() - begun });
      return found;
    } catch (error) {
      if (error.status < 500 || Date.now() - begun >= Number(REPEAT_MS)) {
        failed.push(`${at} ${what}: ${error.message} ${error.cause?.code ?? ''}`);
        return null;
      }
      await sleep(repeatPauseMs);
    }
};
const call = (method, path, ...rest) =>
  persistently(`${method} ${path}`, () => once(method, path, ...rest));

/** Has the courier take an order to its end. A repeated request may find it there. */
const close = (id) =>
  persistently(`the way of ${id}`, (tries) =>
    once('POST', `/sandbox/orders/${id}/advance`, { to: 'CLOSED' }).catch(async (error) => {
      const found = tries > 1 && (await once('GET', `/orders/${id}`));
      if (found?.status === 'CLOSED') return found;
      throw error;
    }),
  );

const order = (name) => ({
  external_id: name,
  pickup: { address: { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin' } },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
  items: [{ goods_type: 'blood' }],
});

const working = new Map();
let named = 0;

const lane = async (number) => {
  while (number < lanes) {
    const name = `${RUN}-${named++}`;
    const made = await call('POST', '/orders', order(name), { 'idempotency-key': name });
    if (made) {
      placed++;
      if (await close(made.id)) closed.push(made.id);
      await call('GET', `/orders/${made.id}`);
      await call('GET', `/orders/${made.id}/custody`);
    }
    await sleep(paceMs);
  }
  working.delete(number);
};
const start = () => {
  for (let number = 0; number < lanes; number++)
    if (!working.has(number)) working.set(number, lane(number));
};

const missing = () =>
  closed
    .flatMap((id) => Array.from({ length: eventsOfALife }, (_, n) => `${id} ${n + 1}`))
    .filter((event) => !received.has(event));
const print = (more = {}) =>
  process.stdout.write(
    `${JSON.stringify({ requests, placed, closed: closed.length, failed: failed.slice(0, 20), failures: failed.length, ...more })}\n`,
  );

// setup, and no part of what is judged: the endpoint's handshake is repeated until it succeeds
const endpoint = await once('POST', '/webhooks', { url: HOOKS });
for (let { status } = endpoint; status !== 'ENABLED'; await sleep(500)) {
  await once('POST', `/webhooks/${endpoint.id}/verify`).catch(() => {});
  ({ status } = await once('GET', `/webhooks/${endpoint.id}`));
}

const control = createControl((request, response) => {
  const wanted = new URL(request.url, 'http://x').searchParams;
  [lanes, paceMs] = [Number(wanted.get('lanes')), Number(wanted.get('pace'))];
  start();
  response.end();
});
await happened(control.listen(8080, '127.0.0.1'), 'listening');

const printing = setInterval(print, 1000);
start();
await happened(process, 'SIGTERM');
lanes = 0;
await Promise.all(working.values());
for (let waited = 0; missing().length > 0 && waited < eventsWithinMs; waited += 500)
  await sleep(500);
clearInterval(printing);
const repeated = [...received].filter(([, ids]) => ids.size > 1).map(([event]) => event);
print({
  events: received.size,
  missing: missing().slice(0, 50),
  repeated: repeated.slice(0, 50),
  delayed,
  ended: true,
});
process.exit();
