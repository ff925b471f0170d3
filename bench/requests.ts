/**
 * R1, R8, R11 and R12: requests through the local stack against Express and pg in one process, with
 * the same rows and response bytes, in turns in one run. `node bench/requests.ts [get list rejected
 * replay]`; CONNECTIONS=128; PROFILE=FOLDER writes a profile of each process. Needs wrk.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { operator } from '../e2e/mesh.ts';
import { startProgram } from './drain/program.ts';
import { call, orderWith } from './fairness/calls.ts';
import { processCpu, stackCpu } from './http/processes.ts';
import { httpSide } from './http/side.ts';
import { type Prepared, withStack } from './http/with-stack.ts';
import type { Target } from './http/wrk.ts';
import { compare } from './ratio.ts';

const connections = Number(process.env.CONNECTIONS ?? 32);
const rejection = { error: { code: 'RATE_LIMITED', message: 'Too many requests; wait a moment.' } };

interface Pair {
  readonly what: string;
  readonly ours: Target;
  /** A path of the Express server, or another request to the local stack. */
  readonly theirs: Target | string;
}

const responseOf = async ({ url, method = 'GET', headers = {}, body, status }: Target) => {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text);
};

/** A key whose only read per minute is used up. */
const usedUpKey = async ({ stack, baseUrl, organizationId }: Prepared): Promise<string> => {
  const words = ['--org', organizationId, '--scopes', 'orders:read', '--reads', '1'];
  const { key } = (await operator(stack, 'key', 'issue', ...words)).json as { key: string };
  await call(new URL(baseUrl).origin, 'GET', '/ping', key);
  return key;
};

const pairs: Record<string, (prepared: Prepared) => Pair | Promise<Pair>> = {
  get: ({ baseUrl, key, orderId }) => ({
    what: 'R1: GET /orders/{id} against Express and pg',
    ours: { url: `${baseUrl}/orders/${orderId}`, headers: bearer(key), status: 200 },
    theirs: `/orders/${orderId}`,
  }),
  list: ({ baseUrl, key }) => ({
    what: 'R12: GET /orders?limit=50 against Express and pg',
    ours: { url: `${baseUrl}/orders?limit=50`, headers: bearer(key), status: 200 },
    theirs: '/orders?limit=50',
  }),
  rejected: async (prepared) => ({
    what: 'R8: 429 against bare Express',
    ours: {
      url: `${prepared.baseUrl}/ping`,
      headers: bearer(await usedUpKey(prepared)),
      status: 429,
    },
    theirs: '/rejected',
  }),
  replay: async ({ baseUrl, key, orderId }) => {
    const headers = { ...bearer(key), 'content-type': 'application/json', 'idempotency-key': 'r' };
    const replay = { url: `${baseUrl}/orders`, method: 'POST', headers, status: 201 };
    const ours = { ...replay, body: JSON.stringify(orderWith(2)) };
    await responseOf(ours);
    const theirs = { url: `${baseUrl}/orders/${orderId}`, headers: bearer(key), status: 200 };
    return { what: 'R11: idempotent replay against GET', ours, theirs };
  },
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const { positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' } },
});
await withStack(async (prepared) => {
  const { stack, organizationId } = prepared;
  const { stores } = stack.file();
  const settings = { databaseUrl: stores.postgres.orders, organizationId, rejection };
  const server = startProgram('../http/express-server.ts', settings);
  const origin = `http://127.0.0.1:${await server.received<number>()}`;
  const names = positionals.length > 0 ? positionals : Object.keys(pairs);
  for (const name of names) {
    const { what, ours, theirs } = await pairs[name]!(prepared);
    const isOther = typeof theirs === 'string';
    const target = isOther ? { url: origin + theirs, status: ours.status } : theirs;
    const [a, b] = [await responseOf(ours), await responseOf(target)];
    if (isOther && !isDeepStrictEqual(b.data ?? b, a.data ?? a))
      throw new Error(`${what}: the responses differ: ${JSON.stringify(a)} ${JSON.stringify(b)}`);
    const common = { folder: stack.dir, connections };
    const cpu = () => stackCpu(stack.file());
    const ourSide = httpSide({ name: 'local stack', target: ours, cpu, ...common });
    const theirSide = httpSide({
      name: isOther ? 'express' : 'local stack GET',
      target,
      cpu: isOther ? () => processCpu('express', server.pid, stack.file()) : cpu,
      ...common,
    });
    await compare(`${what}, ${connections} connections`, ourSide.side, theirSide.side);
    process.stderr.write(`${ourSide.summary()}\n${theirSide.summary()}\n`);
  }
  server.close();
});
