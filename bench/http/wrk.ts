/** HTTP load by wrk (Debian's package), a process of its own that costs a tenth of a client in Node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VoidRun } from '../measuring/void-run.ts';

export interface Target {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of every response; another one ends the measurement. */
  readonly status: number;
}

export interface Load {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Lua's own quoting reads what JSON writes, but for control characters, which nothing here has. */
const lua = (text: string): string => JSON.stringify(text);

const script = ({ method = 'GET', headers = {}, body, status }: Target): string => `
wrk.method = ${lua(method)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`)
  .join('\n')}
${body === undefined ? '' : `wrk.body = ${lua(body)}`}
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
 * Sends requests over kept connections for `ms`, each connection the next one when it has its
 * response.
 * @throws VoidRun where a response has another status, or a connection fails.
 */
export const load = async (
  folder: string,
  target: Target,
  connections: number,
  ms: number,
): Promise<Load> => {
  const file = join(folder, 'wrk.lua');
  writeFileSync(file, script(target), { mode: 0o600 });
  const words = ['-t1', `-c${connections}`, `-d${Math.ceil(ms / 1000)}s`, '--timeout', '10s'];
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
export const loadIn = (output: string, url: string): Load => {
  const [, ...figures] = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output) ?? [];
  const [requests = 0, wrong = 0, failed = 0, p50 = 0, p99 = 0] = figures.map(Number);
  if (requests === 0 || wrong > 0 || failed > 0)
    throw new VoidRun(`${url}: ${requests} responses, status ${wrong}, ${failed} failed`);
  return { requests, p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
};
