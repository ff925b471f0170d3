/** HTTP load by wrk (Debian's package), a process of its own that costs a tenth of a client in Node. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Round, Side } from '../measuring/ratio.ts';
import { requireStatus, VoidRun } from '../measuring/report.ts';

export interface Target {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of every response; another one ends the measurement. */
  readonly status: number;
  /** Keys that take turns: each request has the next one and an idempotency key of its own. */
  readonly keys?: readonly string[];
}

/** The headers with a partner's key. */
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Lua's own quoting reads what JSON writes, but for control characters, which nothing here has. */
const lua = (text: string): string => JSON.stringify(text);

const nextKey = (keys: readonly string[]): string => `
local keys = { ${keys.map(lua).join(', ')} }
local n = 0
function request()
  n = n + 1
  wrk.headers['authorization'] = 'Bearer ' .. keys[n % #keys + 1]
  wrk.headers['idempotency-key'] = ${lua(randomUUID())} .. n
  return wrk.format()
end`;

const script = ({ method = 'GET', headers = {}, body, status, keys }: Target): string => `
wrk.method = ${lua(method)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`)
  .join('\n')}
${body === undefined ? '' : `wrk.body = ${lua(body)}`}
${keys === undefined ? '' : nextKey(keys)}
local threads = {}
function setup(thread) thread:set('wrong', 0); table.insert(threads, thread) end
function response(status, headers, body) if status ~= ${status} then wrong = status end end
function done(summary, latency)
  local wrong = 0
  for _, thread in ipairs(threads) do wrong = math.max(wrong, thread:get('wrong')) end
  local e = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, wrong,
    e.connect + e.read + e.write + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`;

/**
 * Sends requests over kept connections for whole seconds, each connection the next one when it has
 * its response.
 * @throws VoidRun where a response has another status, or a connection fails.
 */
const load = async (
  folder: string,
  target: Target,
  connections: number,
  seconds: number,
): Promise<Round> => {
  const file = join(folder, 'wrk.lua');
  writeFileSync(file, script(target), { mode: 0o600 });
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s'];
  const wrk = spawn('wrk', [...words, '-s', file, target.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  wrk.stdout.on('data', (part) => {
    output += part;
  });
  await once(wrk, 'close').catch((cause) => {
    throw new Error('wrk is missing (Debian package wrk)', { cause });
  });
  return loadIn(output, target.url);
};

/** What wrk printed. @throws VoidRun without a response, or with one that was not as expected. */
export const loadIn = (output: string, url: string): Round => {
  const [, ...figures] = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output) ?? [];
  const [operations = 0, wrong = 0, failed = 0, p50 = 0, p99 = 0] = figures.map(Number);
  if (operations === 0 || wrong > 0 || failed > 0)
    throw new VoidRun(`${url}: ${operations} responses, status ${wrong}, ${failed} failed`);
  return { operations, p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
};

export interface HttpSide extends Omit<Side, 'round' | 'response'> {
  readonly target: Target;
  /** What of the response both sides have in common; without it, responses are not compared. */
  common?(response: Record<string, unknown>): unknown;
}

/** A side that responds to HTTP requests of wrk. @param folder for wrk's script. */
export const httpSide = (
  { target, common, ...side }: HttpSide,
  { folder, connections, seconds = 1 }: { folder: string; connections: number; seconds?: number },
): Side => ({
  ...side,
  ...(common && { response: async () => common(await responseOf(target)) }),
  round: () => load(folder, target, connections, seconds),
});

/** The response to one request, as data. @throws VoidRun for another status. */
const responseOf = async ({ url, method = 'GET', headers = {}, body, status }: Target) => {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  requireStatus(`${method} ${url}`, status, response.status);
  return JSON.parse(text);
};
