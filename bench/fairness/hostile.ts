/**
 * The hostile organization, a process of its own. It does everything at once, as fast as responses
 * come, while it is switched on: heavy orders, heavy lists, slow reads, invented methods, unknown
 * keys, and orders for webhooks that hang.
 */
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { settingsOf } from '../drain/program.ts';
import { call, orderWith } from './calls.ts';

const { origin, keys, listLimit } = settingsOf<{
  origin: string;
  keys: readonly string[];
  listLimit: number;
}>();
const [listLanes, writeLanes, slowReaders, anonymousLanes] = [12, 2, 4, 2];
/** As many as a body of 256 KiB holds. */
const itemsMax = 13_500;
/** A rejected request costs the sender nothing; this bounds what this program costs the machine. */
const pauseMs = 20;

let isOn = false;
const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

const lane = async (what: string, work: () => Promise<number>): Promise<never> => {
  for (;;) {
    if (isOn) count(`${what} ${await work()}`);
    await sleep(pauseMs);
  }
};

let turn = 0;
const nextKey = () => keys[turn++ % keys.length]!;
const get = async (path: string, key: string | undefined, method = 'GET') =>
  (await call(origin, method, path, key)).status;

/** Requests a heavy list and reads a few bytes of it now and then. */
const readSlowly = async (): Promise<number> => {
  const { hostname, port } = new URL(origin);
  const socket: Socket = connect(Number(port), hostname);
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.on('error', () => {});
  socket.write(
    `GET /api/partner/v1/orders?limit=${listLimit} HTTP/1.1\r\nHost: ${hostname}\r\n` +
      `Authorization: Bearer ${nextKey()}\r\nConnection: close\r\n\r\n`,
  );
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), 500);
  });
  await Promise.race([ended, sleep(15_000)]);
  socket.destroy();
  return 0;
};

const unknownKey = () => `svc_test_${'x'.repeat(49)}`;

for (let n = 0; n < listLanes; n++)
  void lane('list', () => get(`/orders?limit=${listLimit}`, nextKey()));
for (let n = 0; n < writeLanes; n++)
  void lane('order', async () => {
    return (await call(origin, 'POST', '/orders', nextKey(), orderWith(itemsMax))).status;
  });
for (let n = 0; n < slowReaders; n++) void lane('slow read', readSlowly);
for (let n = 0; n < anonymousLanes; n++) {
  // an HTTP server takes these methods only; any path may be invented
  const invented = () => Math.random().toString(36).slice(2);
  const method = () => METHODS[Math.floor(Math.random() * METHODS.length)]!;
  void lane('method', () => get(`/${invented()}`, undefined, method()));
  void lane('unknown key', () => get('/ping', unknownKey()));
}
// orders for the webhooks that hang
void lane('event', async () => {
  return (await call(origin, 'POST', '/orders', nextKey(), orderWith(1))).status;
});

process.on('message', (message) => {
  isOn = message === 'on';
  if (process.connected) process.send!(counts);
});
