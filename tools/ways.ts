/**
 * Counts the source files on three ways: a request that creates an order, the append of its entry, and
 * the retry of a webhook. A file is on a way if one of its functions ran in the processes of the way
 * from its beginning to its end, on a stack that has done the same before. `npm run ways -- --files`
 * lists them. The first two are the files of every one of five times.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalStack } from '../e2e/local-stack.ts';
import { orderBody, partner } from '../e2e/partner.ts';
import { startReceiver } from '../e2e/receiver.ts';

interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

const stack = await startLocalStack({
  env: { NODE_OPTIONS: '--inspect=127.0.0.1:0', WEBHOOKS_RETRY_WAITS: '2s,5m,30m,4h,19h24m' },
});
process.once('exit', () => stack.forget());

/** Opens the coverage of the first process of a service. */
const coverageOf = async (service: string) => {
  const logs = join(stack.dir, 'logs');
  const log = readdirSync(logs).find((name) => name.startsWith(`${service}-0`))!;
  const [url] = /ws:\/\/\S+/.exec(readFileSync(join(logs, log), 'utf8'))!;
  const socket = new WebSocket(url);
  await once(socket, 'open');
  /** One call at a time: the next message is its response. */
  const send = async (method: string, params = {}): Promise<Script[]> => {
    const response = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [{ data }] = await response;
    return JSON.parse(data).result.result;
  };
  await send('Profiler.enable');
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    /** Returns the files whose functions ran since the call before. */
    take: async (): Promise<string[]> =>
      (await send('Profiler.takePreciseCoverage')).flatMap((script) => filesOf(script)),
    close: () => socket.close(),
  };
};

const bundles = new Map<string, readonly [offset: number, file: string][]>();

/** Returns the sources of a bundle whose functions ran: a comment names each before its text. */
const filesOf = ({ url, functions }: Script): string[] => {
  if (!url.endsWith('.mjs')) return [];
  const places = bundles.get(url) ?? placesIn(readFileSync(new URL(url), 'utf8'));
  bundles.set(url, places);
  return functions
    .filter(({ ranges: [range] }) => range!.startOffset > 0 && range!.count > 0)
    .flatMap(
      ({ ranges: [range] }) => places.findLast(([at]) => at <= range!.startOffset)?.[1] ?? [],
    )
    .filter((file) => !file.includes('node_modules'));
};

const placesIn = (text: string): [number, string][] =>
  [...text.matchAll(/^\/\/ (\S+\.[jt]sx?)$/gm)].map(({ index, 1: file }) => [index, file!]);

/** Runs an action, and returns the files on its way. @param begins waits for the action's beginning. */
const wayOf = async (services: readonly string[], act: () => Promise<unknown>, begins = act) => {
  const processes = await Promise.all(services.map(coverageOf));
  const take = async () => (await Promise.all(processes.map(({ take }) => take()))).flat();
  if (begins !== act) await begins();
  await take();
  await act();
  const files = [...new Set(await take())].toSorted();
  for (const { close } of processes) close();
  return files;
};

const receiver = await startReceiver(stack);
try {
  await receiver.subscribe();
  const { get, post } = partner(stack);
  const create = async () =>
    (await post('/orders', orderBody(), { 'idempotency-key': crypto.randomUUID() })).body.id;
  const received = async (count: number) => {
    while (receiver.received.length < count) await sleep(5);
  };
  const appended = async () => {
    const id = await create();
    while ((await get(`/orders/${id}/events`)).body.length !== 1) await sleep(5);
  };
  for (let n = 1; n <= 5; n++) {
    await appended();
    await received(n);
  }
  await sleep(2000);
  /** The files of every one of five times: what the processes do by themselves is not in all. */
  const always = async (services: readonly string[], act: () => Promise<unknown>) => {
    let files = await wayOf(services, act);
    for (let n = 0; n < 4; n++) {
      const again = new Set(await wayOf(services, act));
      files = files.filter((file) => again.has(file));
    }
    return files;
  };
  const ways = new Map([['create', await always(['gateway', 'orders'], create)]]);
  ways.set('append', await always(['custody'], appended));
  await received(15);
  receiver.state.status = 500;
  const fails = async () => {
    await create();
    await received(16);
    receiver.state.status = 204;
    await sleep(1500);
  };
  const retried = async () => {
    await received(17);
    await sleep(200);
  };
  ways.set('retry', await wayOf(['webhooks'], retried, fails));
  for (const [name, files] of ways) {
    process.stdout.write(`${name}: ${files.length} files\n`);
    if (process.argv.includes('--files')) process.stdout.write(`  ${files.join('\n  ')}\n`);
  }
} finally {
  await receiver.stop();
  await stack.stop();
}
