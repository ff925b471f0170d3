/**
 * Ten calm organizations: each reads and creates at an even rate, whatever becomes of the responses
 * (an open loop, so that a slow response does not hide the ones behind it).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { call, orderWith } from '../http/calls.ts';
import { percentile } from '../measuring/percentile.ts';

const readEveryMs = 400;
const writeEveryMs = 2000;

/** Milliseconds of each response, by method; `failed`: the statuses of responses that are no 2xx. */
export interface Latencies {
  readonly GET: number[];
  readonly POST: number[];
  readonly failed: number[];
}

/** @returns when `ms` have passed and every response has come. */
export const runCalm = async (
  baseUrl: string,
  keys: readonly string[],
  ms: number,
): Promise<Latencies> => {
  const latencies: Latencies = { GET: [], POST: [], failed: [] };
  const end = Date.now() + ms;
  const one = async (method: 'GET' | 'POST', path: string, key: string) => {
    const body = method === 'POST' ? orderWith(2) : undefined;
    const { status, ms: took } = await call(baseUrl, method, path, key, body);
    if (status < 200 || status > 299) latencies.failed.push(status);
    latencies[method].push(took);
  };
  const loop = async (key: string, method: 'GET' | 'POST', everyMs: number) => {
    await sleep(Math.random() * everyMs);
    const sent: Promise<void>[] = [];
    while (Date.now() < end) {
      sent.push(one(method, method === 'GET' ? '/orders?limit=10' : '/orders', key));
      await sleep(everyMs);
    }
    await Promise.all(sent);
  };
  await Promise.all(
    keys.flatMap((key) => [loop(key, 'GET', readEveryMs), loop(key, 'POST', writeEveryMs)]),
  );
  return latencies;
};

export const p95 = (values: readonly number[]): number => percentile(values, 0.95);
