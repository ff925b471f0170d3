import { Gauge, type Telemetry } from '@pto/telemetry';
import type { Pool } from 'pg';

export const observePool = (pool: Pool, telemetry: Telemetry): void => {
  const gauge = new Gauge({
    name: 'database_pool_connections',
    help: 'Connections in use and idle, and callers waiting for one',
    labelNames: ['state'],
    registers: [telemetry.metrics],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  gauge.reset();
};
