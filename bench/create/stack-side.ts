import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuSince, stackCpu } from '../http/processes.ts';
import type { Side } from '../ratio.ts';
import type { CreatingStack } from './stack.ts';
import { createOrders } from './wrk-orders.ts';

const roundMs = 2000;

/**
 * A side that creates orders through a local stack. Its CPU time is that of all processes and
 * stores until custody has reported every event of the round back to orders.
 */
export const stackSide = async (name: string, creating: CreatingStack, connections: number) => {
  const { stack } = creating;
  const client = new pg.Client(stack.file().stores.postgres.orders);
  await client.connect();
  const micros: Record<string, number> = {};
  const latencies: { p50Ms: number; p99Ms: number }[] = [];
  let orders = 0;
  let before = stackCpu(stack.file());
  let last = 0;

  const allReported = async () => {
    for (;;) {
      const { rows } = await client.query('select count(*)::int as n from unreported_events');
      if (rows[0].n === 0) return;
      await sleep(50);
    }
  };

  const side: Side = {
    name,
    prepare: async () => {
      before = stackCpu(stack.file());
    },
    round: async () => {
      const done = await createOrders(creating, connections, roundMs);
      latencies.push(done);
      orders += done.orders;
      return done.orders;
    },
    finish: async () => {
      await allReported();
      const used = cpuSince(before, stackCpu(stack.file()));
      for (const [process, time] of Object.entries(used))
        micros[process] = (micros[process] ?? 0) + time;
      last = Object.values(used).reduce((sum, time) => sum + time, 0);
    },
    cpuMicros: () => 0,
    storeMicros: () => last,
  };
  const median = (of: (one: { p50Ms: number; p99Ms: number }) => number) =>
    latencies
      .map(of)
      .sort((a, b) => a - b)
      [Math.floor(latencies.length / 2)]!.toFixed(1);
  /** Latencies of the median round, and CPU µs per order of each process, the most first. */
  const summary = (): string => {
    const cpu = Object.entries(micros)
      .map(([process, used]) => [process, used / orders] as const)
      .sort(([, a], [, b]) => b - a)
      .map(([process, used]) => `${process} ${used.toFixed(0)}`);
    const times = `p50 ${median((one) => one.p50Ms)} ms, p99 ${median((one) => one.p99Ms)} ms`;
    return `  ${name}: ${orders} orders, ${times}; CPU µs: ${cpu.join(', ')}`;
  };
  return { side, summary, close: () => client.end() };
};
