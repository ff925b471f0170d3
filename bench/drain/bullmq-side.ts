import { randomUUID } from 'node:crypto';
import { stores } from '@pto/testing';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type DrainSide, startReplica, type Workload } from './replica.ts';

/** Theirs: a worker of BullMQ. Its Redis has on disk what it acknowledges. */
export const bullmqSide = async (workload: Workload): Promise<DrainSide> => {
  const { backlog, payload } = workload;
  const storeUrl = stores().redis!;
  const connection = new Redis(storeUrl, { maxRetriesPerRequest: null });
  await connection.config('SET', 'appendfsync', 'always');
  await connection.config('SET', 'appendonly', 'yes');
  const queue = new Queue('deliveries', { connection });
  const left = async () => (await queue.getCompletedCount()) < backlog;
  const { close, ...work } = await startReplica('bullmq-replica.ts', storeUrl, workload, left);
  return {
    name: 'BullMQ, synced, and undici',
    processes: ['bullmq-replica', 'redis'],
    ...work,
    prepare: async () => {
      const jobs = Array.from({ length: backlog }, (_, n) => ({
        name: 'order.sealed',
        data: { delivery: randomUUID(), sequence: n + 1, payload: payload.toString() },
        opts: { attempts: 6, removeOnComplete: false },
      }));
      for (let n = 0; n < jobs.length; n += 1000) await queue.addBulk(jobs.slice(n, n + 1000));
    },
    rows: () => queue.getCompletedCount(),
    finish: () => queue.obliterate({ force: true }),
    close: async () => {
      close();
      await queue.close();
      connection.disconnect();
    },
  };
};
