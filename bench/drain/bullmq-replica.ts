import { createHmac, createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { serveRounds } from './replica.ts';

/** Of 64 to 1,024 none was faster; one process of ours has at most 1,024 at once. */
const concurrency = 512;

await serveRounds(async ({ storeUrl, receiverUrl, caFile }) => {
  const connection = new Redis(storeUrl, { maxRetriesPerRequest: null });
  const { origin, pathname } = new URL(receiverUrl);
  const ca = readFileSync(caFile, 'utf8');
  const pool = new Pool(origin, { connections: concurrency, connect: { ca } });
  const key = createSecretKey(Buffer.from('whsec_of_a_test'));
  return () => {
    const worker = new Worker<{ delivery: string; sequence: number; payload: string }>(
      'deliveries',
      async (job) => {
        const at = new Date();
        const t = Math.floor(at.getTime() / 1000);
        const body = Buffer.from(job.data.payload);
        const v1 = createHmac('sha256', key).update(`${t}.`).update(body).digest('hex');
        const { statusCode, body: responseBody } = await pool.request({
          method: 'POST',
          path: pathname,
          headers: {
            'user-agent': 'Partner-Transport-Orders/1.0',
            'accept-encoding': 'identity',
            'content-type': 'application/json',
            'x-service-signature': `t=${t},v1=${v1}`,
            'x-service-event': job.name,
            'x-service-delivery': job.data.delivery,
            'x-service-sequence': String(job.data.sequence),
          },
          body,
        });
        await responseBody.dump();
        if (statusCode !== 204) throw new Error(`${statusCode}`);
        return { at, statusCode, error: null, durationMs: Date.now() - at.getTime() };
      },
      { connection, concurrency },
    );
    return () => worker.close();
  };
});
