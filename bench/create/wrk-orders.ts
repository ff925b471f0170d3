/** POST /orders by wrk: the keys in turns, each request with an idempotency key of its own. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderWith } from '../fairness/calls.ts';
import { VoidRun } from '../measuring/void-run.ts';
import type { CreatingStack } from './stack.ts';

/** Lua's quoting reads what JSON writes, except control characters, which are not used here. */
const lua = (text: string): string => JSON.stringify(text);

const script = (keys: readonly string[]): string => `
local keys = { ${keys.map(lua).join(', ')} }
local prefix = ${lua(randomUUID())}
local n, wrong = 0, 0
local threads = {}
function setup(thread) thread:set('wrong', 0); table.insert(threads, thread) end
function request()
  n = n + 1
  return wrk.format('POST', nil, {
    ['authorization'] = 'Bearer ' .. keys[n % #keys + 1],
    ['content-type'] = 'application/json',
    ['idempotency-key'] = prefix .. n,
  }, ${lua(JSON.stringify(orderWith(2)))})
end
function response(status, headers, body) if status ~= 201 then wrong = status end end
function done(summary, latency)
  local wrong = 0
  for _, thread in ipairs(threads) do wrong = math.max(wrong, thread:get('wrong')) end
  local e = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, wrong,
    e.connect + e.read + e.write + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`;

/**
 * Creates orders over `connections` connections for `ms`.
 * @returns the number of orders and the latencies in ms.
 * @throws VoidRun if a response is not 201.
 */
export const createOrders = async (
  { stack, keys }: CreatingStack,
  connections: number,
  ms: number,
): Promise<{ orders: number; p50Ms: number; p99Ms: number }> => {
  const file = join(stack.dir, 'create.lua');
  writeFileSync(file, script(keys), { mode: 0o600 });
  const words = ['-t1', `-c${connections}`, `-d${Math.ceil(ms / 1000)}s`, '--timeout', '20s'];
  const url = `${stack.file().baseUrl}/orders`;
  const wrk = spawn('wrk', [...words, '-s', file, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  wrk.stdout.on('data', (part) => {
    output += part;
  });
  await once(wrk, 'close');
  const [, ...figures] = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output) ?? [];
  const [orders = 0, wrong = 0, failed = 0, p50 = 0, p99 = 0] = figures.map(Number);
  if (orders === 0 || wrong > 0 || failed > 0)
    throw new VoidRun(`${url}: ${orders} responses, status ${wrong}, ${failed} failed`);
  return { orders, p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
};
