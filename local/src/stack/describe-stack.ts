import type { Stores } from '@pto/stores';
import type { PlannedProcess } from '../processes/plan.ts';
import type { DatabaseUrls } from '../processes/stack-parts.ts';
import type { StackFile } from './stack-file.ts';

export const describeStores = (
  stores: Stores,
  databases: Readonly<Record<string, DatabaseUrls>>,
): StackFile['stores'] => {
  const urls = Object.entries(databases).map(([name, { serviceUrl }]) => [name, serviceUrl]);
  const { postgres, redis, kafka } = stores;
  const pids = {
    ...(postgres.pid && { postgres: postgres.pid }),
    ...(redis?.pid && { redis: redis.pid }),
    ...(kafka?.pid && { kafka: kafka.pid }),
  };
  return {
    postgres: { ...Object.fromEntries(urls), superuser: postgres.url },
    redis: redis?.url ?? null,
    kafka: kafka?.brokers ?? [],
    pids,
  };
};

export const describeServices = (
  plan: readonly PlannedProcess[],
  pids: readonly number[],
): StackFile['services'] =>
  plan.map(({ name, replica, internalUrl, metricsUrl, healthUrl }, i) => ({
    name,
    replica,
    pid: pids[i] ?? 0,
    internalUrl,
    metricsUrl,
    healthUrl,
  }));
