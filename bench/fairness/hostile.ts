/**
 * What calm organizations are measured beside, a process of its own, while it is switched on:
 *
 * - a lawful organization at its budgets, with the heaviest requests that the contract allows: each
 *   key sends 60 creations of 256 KiB and 600 lists of 100 such orders a minute, over 16 connections;
 * - slow readers of its lists;
 * - an anonymous client that sends 1,500 requests ahead on each of 40 connections, again and again;
 * - anonymous requests with invented methods and unknown keys.
 *
 * The message `on LOAD` switches on the requests of a load, `off` switches them off.
 */
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { settingsOf } from '../drain/program.ts';
import { call, orderWith } from '../http/calls.ts';

const { baseUrl, keys } = settingsOf<{ baseUrl: string; keys: readonly string[] }>();
const [lawfulLanes, slowReaders, anonymousLanes, pipelines, ahead] = [16, 2, 2, 40, 1500];
/** As many as a body of 256 KiB holds. */
const itemsMax = 13_500;
/** A rejected request costs the sender nothing; this bounds what this program costs the machine. */
const pauseMs = 20;

/** What sends requests during a load. */
const parts = {
  all: ['orders', 'lists', 'others'],
  orders: ['orders'],
  lists: ['lists'],
  others: ['others'],
} as const;
export type Load = keyof typeof parts;
type Part = (typeof parts)['all'][number];

let on: readonly Part[] = [];
let onSince = 0;
const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

const lane = async (
  what: string,
  work: () => Promise<number | undefined>,
  isOn = () => on.includes('others'),
): Promise<never> => {
  for (;;) {
    const status = isOn() ? await work() : undefined;
    if (status !== undefined) count(`${what} ${status}`);
    await sleep(pauseMs);
  }
};

/** Returns a function that returns the next key which may send, so that each keeps its budget. */
const paced = (perMinute: number) => {
  let sent = 0;
  return (): string | undefined => {
    const due = ((performance.now() - onSince) / 60_000) * perMinute * keys.length;
    if (sent > due + keys.length) sent = 0; // switched on again
    return sent < due ? keys[sent++ % keys.length] : undefined;
  };
};
const nextWrite = paced(59);
const nextRead = paced(590);

const heavy = JSON.stringify(orderWith(itemsMax));
const lawful = async (): Promise<void> => {
  const writing = on.includes('orders') ? nextWrite() : undefined;
  if (writing !== undefined) {
    count(`order ${(await call(baseUrl, 'POST', '/orders', writing, heavy)).status}`);
    return;
  }
  const reading = on.includes('lists') ? nextRead() : undefined;
  if (reading !== undefined)
    count(`list ${(await call(baseUrl, 'GET', '/orders?limit=100', reading)).status}`);
};

/** Opens a connection, writes the text, and waits until it is closed or the time is over. */
const writeAhead = async (text: string, ms: number, read: (socket: Socket) => void) => {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(text);
  read(socket);
  const over = new AbortController();
  await Promise.race([ended, sleep(ms, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
  socket.destroy();
  return undefined;
};

/** Requests a heavy list and reads a few bytes of it now and then. */
const readSlowly = () =>
  writeAhead(
    `GET /api/partner/v1/orders?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys[0]}\r\nConnection: close\r\n\r\n`,
    15_000,
    (socket) => {
      socket.on('data', () => {
        socket.pause();
        setTimeout(() => socket.resume(), 500);
      });
    },
  );

const pipelined = 'GET /api/partner/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(ahead);

for (let n = 0; n < lawfulLanes; n++)
  void lane(
    '',
    async () => {
      await lawful();
      return undefined;
    },
    () => on.length > 0,
  );
for (let n = 0; n < slowReaders; n++) void lane('slow read', readSlowly);
for (let n = 0; n < pipelines; n++)
  void lane('pipeline', () => writeAhead(pipelined, 5000, (socket) => socket.resume()));
for (let n = 0; n < anonymousLanes; n++) {
  // an HTTP server takes these methods only; any path may be invented
  const invented = () => Math.random().toString(36).slice(2);
  const method = () => METHODS[Math.floor(Math.random() * METHODS.length)]!;
  const statusOf = async (path: string, key?: string, method = 'GET') =>
    (await call(baseUrl, method, path, key)).status;
  void lane('method', () => statusOf(`/${invented()}`, undefined, method()));
  void lane('unknown key', () => statusOf('/ping', `svc_test_${'x'.repeat(49)}`));
}

process.on('message', (message) => {
  const [, load] = /^on (\w+)$/.exec(`${message}`) ?? [];
  on = load === undefined ? [] : parts[load as Load];
  onSince = performance.now();
  if (load === undefined) process.send!(counts);
});
