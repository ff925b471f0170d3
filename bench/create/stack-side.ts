import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuSince, stackCpu } from '../http/processes.ts';
import type { CpuMicros } from '../measuring/process-cpu.ts';
import type { Latency, Side } from '../measuring/ratio.ts';
import type { CreatingStack } from './stack.ts';
import { createOrders } from './wrk-orders.ts';

const roundMs = 2000;

/**
 * A side that creates orders through a local stack. Its CPU time is that of all processes and
 * stores until custody has reported every event of the round back to orders.
 */
export const stackSide = async (
  name: string,
  creating: CreatingStack,
  connections: number,
): Promise<Side & { close(): Promise<void> }> => {
  const { stack } = creating;
  const client = new pg.Client(stack.file().stores.postgres.orders);
  await client.connect();
  let before = stackCpu(stack.file());
  let used: CpuMicros = {};
  let last: Latency = { p50Ms: 0, p99Ms: 0 };

  const allReported = async () => {
    for (;;) {
      const { rows } = await client.query('select count(*)::int as n from unreported_events');
      if (rows[0].n === 0) return;
      await sleep(50);
    }
  };

  return {
    name,
    prepare: async () => {
      before = stackCpu(stack.file());
    },
    round: async () => {
      const { orders, ...latency } = await createOrders(creating, connections, roundMs);
      last = latency;
      return orders;
    },
    finish: async () => {
      await allReported();
      used = cpuSince(before, stackCpu(stack.file()));
    },
    latency: () => last,
    cpuByProcess: () => used,
    close: () => client.end(),
  };
};
