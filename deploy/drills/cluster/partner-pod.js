// Runs in a pod of the cluster as a partner: places orders, moves each to its end by the sandbox's
// courier, reads it, and receives its events at its own endpoint. No request is repeated; with
// REPEAT_MS those are that got no response or 5xx, for so long. Prints its state every second. At
// SIGTERM it ends the orders under way, waits for their events, and prints what is missing, last.
import { once as happened } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const { BASE, HOOKS, KEY, RUN, LANES, PACE_MS, REPEAT_MS } = process.env;
const eventsOfALife = 9;
const eventsWithinMs = 90_000;

const closed = [];
const failed = [];
/** Requests that succeeded only when they were repeated: when they began, and how long they took. */
const delayed = [];
/** Delivery ids of each event that arrived, by order and number. */
const received = new Map();
let [requests, placed, on] = [0, 0, true];

const tls = {
  cert: readFileSync('/partner-tls/tls.crt'),
  key: readFileSync('/partner-tls/tls.key'),
};
const server = createServer(tls, async (request, response) => {
  if (request.method === 'GET') {
    response.end(new URL(request.url, 'https://x').searchParams.get('verification') ?? '');
    return;
  }
  const { order } = JSON.parse(Buffer.concat(await request.toArray()).toString()).data;
  const event = `${order.id} ${order.sequence}`;
  const deliveries = received.get(event) ?? new Set();
  received.set(event, deliveries.add(request.headers['x-service-delivery']));
  response.writeHead(204).end();
});
await happened(server.listen(8443), 'listening');

const once = async (method, path, body, headers) => {
  requests++;
  const response = await fetch(`${BASE}/api/partner/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const { status } = response;
  throw Object.assign(new Error(`${status} ${text.slice(0, 200)}`), { status });
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
      await sleep(500);
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

let named = 0;
const lane = async () => {
  while (on) {
    const name = `${RUN}-${named++}`;
    const made = await call('POST', '/orders', order(name), { 'idempotency-key': name });
    if (made) {
      placed++;
      if (await close(made.id)) closed.push(made.id);
      await call('GET', `/orders/${made.id}`);
      await call('GET', `/orders/${made.id}/custody`);
    }
    await sleep(Number(PACE_MS));
  }
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

const printing = setInterval(print, 1000);
const working = Array.from({ length: Number(LANES) }, lane);
await happened(process, 'SIGTERM');
on = false;
await Promise.all(working);
for (let waited = 0; missing().length > 0 && waited < eventsWithinMs; waited += 500)
  await sleep(500);
clearInterval(printing);
const repeated = [...received].filter(([, ids]) => ids.size > 1).map(([event]) => event);
const some = { missing: missing().slice(0, 50), repeated: repeated.slice(0, 50) };
print({ events: received.size, ...some, delayed, ended: true });
process.exit();
