/**
 * R3: a backlog of signed deliveries drained over TLS, a row kept of each attempt, against BullMQ
 * with undici doing the same posts. `node bench/drain-deliveries.ts`; `BACKLOG=100000` for more.
 *
 * What we do and BullMQ does not do here: order per order and endpoint, places per endpoint and
 * organisation, judged addresses, health. What it does and we do not: keep the queue in memory. So
 * it is measured twice: as it comes, where what it acknowledged is lost with its Redis, and with a
 * Redis that has synced to its disk what it acknowledges, as our database has.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { makeAuthority, stores, testDatabase } from '@pto/testing';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { migrations } from '../services/webhooks/migrations/index.ts';
import { startDeliverer } from '../services/webhooks/src/deliverer/deliverer.ts';
import { EndpointEntity } from '../services/webhooks/src/endpoints/endpoint.ts';
import { parseSealingKey } from '../services/webhooks/src/secrets/key-ring.ts';
import { openSigningKeys } from '../services/webhooks/src/secrets/signing-keys.ts';
import { walkIndexes } from '../services/webhooks/src/walk-indexes.ts';
import { queueBacklog } from '../services/webhooks/test/backlog.ts';
import { localEgress } from '../services/webhooks/test/local-egress.ts';
import { compare, type Side } from './ratio.ts';
import { withStores } from './with-stores.ts';

const backlog = Number(process.env.BACKLOG ?? 20_000);
const [organizations, endpointsEach] = [20, 5];
/** Of 64 to 1,024 none was faster; one process of ours has at most 1,024 at once. */
const concurrency = 512;
const payload = Buffer.from(JSON.stringify({ event: 'order.sealed', filler: 'x'.repeat(500) }));

const ours = async (url: string, caFile: string): Promise<Side & { close(): Promise<void> }> => {
  const database = await testDatabase('drain');
  await migrate(database.ownerUrl, migrations);
  const open = (databaseUrl: string) =>
    openDatabase({
      url: databaseUrl,
      poolMax: 8,
      statementTimeoutMs: 60_000,
      lockTimeoutMs: 5000,
      entities: [EndpointEntity],
      session: walkIndexes,
      telemetry: createTelemetry({ service: 'bench', write: () => {} }),
    });
  const [db, superuser] = [await open(database.serviceUrl), await open(database.superuserUrl)];
  const egress = localEgress({ caFile }, 3000);
  const ring = [parseSealingKey(`k1:${Buffer.alloc(32, 1).toString('base64')}`)];
  const left = async () =>
    (await superuser.query('select from pending_deliveries limit 1')).length > 0;
  return {
    name: 'the deliverer',
    prepare: async () => {
      for (let n = 0; n < organizations; n++)
        await queueBacklog({ superuser } as never, {
          organizationId: randomUUID(),
          url,
          endpoints: endpointsEach,
          deliveriesEach: backlog / organizations / endpointsEach,
          payload,
        });
      await superuser.query('vacuum analyze pending_deliveries');
    },
    round: async () => {
      const deliverer = startDeliverer({
        db,
        egress,
        signingKeys: openSigningKeys(ring),
        telemetry: createTelemetry({ service: 'bench', write: () => {} }),
        retryWaitsMs: [60_000, 60_000, 60_000, 60_000, 60_000],
        attemptTimeoutMs: 10_000,
        health: { brokenFailures: 100, brokenMinAgeMs: 1e9, brokenSilenceMs: 1e9 },
      });
      while (await left()) await new Promise((resolve) => setTimeout(resolve, 10));
      await deliverer.stop();
      return backlog;
    },
    finish: async () => {
      const [row] = await superuser.query<{ n: number }>(
        `select count(*)::int as n from deliveries d join attempts a on a.delivery_id = d.id
         where d.state <> 'EXHAUSTED' and a.status_code = 204`,
      );
      if (row!.n !== backlog) throw new Error(`${row!.n} of ${backlog} delivered`);
      await superuser.query('truncate deliveries, attempts, endpoints cascade');
    },
    close: async () => {
      await egress.close();
      await Promise.all([db.close(), superuser.close()]);
    },
  };
};

const theirs = async (
  url: string,
  ca: string,
  isSynced: boolean,
): Promise<Side & { close(): Promise<void> }> => {
  const connection = new Redis(stores().redis!, { maxRetriesPerRequest: null });
  await connection.config('SET', 'appendfsync', isSynced ? 'always' : 'everysec');
  await connection.config('SET', 'appendonly', isSynced ? 'yes' : 'no');
  const queue = new Queue('deliveries', { connection });
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency, connect: { ca } });
  const key = createSecretKey(Buffer.from('whsec_of_a_test'));
  return {
    name: isSynced ? 'BullMQ, synced, and undici' : 'BullMQ and undici',
    prepare: async () => {
      const jobs = Array.from({ length: backlog }, (_, n) => ({
        name: 'order.sealed',
        data: { delivery: randomUUID(), sequence: n + 1, payload: payload.toString() },
        opts: { attempts: 6, removeOnComplete: false },
      }));
      for (let n = 0; n < jobs.length; n += 1000) await queue.addBulk(jobs.slice(n, n + 1000));
    },
    round: async () => {
      let delivered = 0;
      const worker = new Worker<{ delivery: string; sequence: number; payload: string }>(
        'deliveries',
        async (job) => {
          const at = new Date();
          const t = Math.floor(at.getTime() / 1000);
          const body = Buffer.from(job.data.payload);
          const v1 = createHmac('sha256', key).update(`${t}.`).update(body).digest('hex');
          const { statusCode, body: answer } = await pool.request({
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
          await answer.dump();
          if (statusCode !== 204) throw new Error(`${statusCode}`);
          delivered++;
          return { at, statusCode, error: null, durationMs: Date.now() - at.getTime() };
        },
        { connection, concurrency },
      );
      while (delivered < backlog) await new Promise((resolve) => setTimeout(resolve, 10));
      await worker.close();
      return backlog;
    },
    finish: async () => {
      if ((await queue.getCompletedCount()) !== backlog) throw new Error('not all are kept');
      await queue.obliterate({ force: true });
    },
    close: async () => {
      await queue.close();
      await pool.close();
      connection.disconnect();
    },
  };
};

const startReceiver = async (certFile: string, keyFile: string) => {
  const program = fileURLToPath(new URL('receiver-process.ts', import.meta.url));
  const process: ChildProcess = fork(program, [certFile, keyFile]);
  const ended = once(process, 'exit').then(() => {
    throw new Error('the receiver did not start');
  });
  const [{ port }] = (await Promise.race([once(process, 'message'), ended])) as [{ port: number }];
  ended.catch(() => {});
  return { url: `https://localhost:${port}/hooks`, stop: () => process.kill() };
};

await withStores(async () => {
  const authority = makeAuthority();
  const receiver = await startReceiver(authority.certFile, authority.keyFile);
  const deliverer = await ours(receiver.url, authority.caFile);
  try {
    for (const isSynced of [false, true]) {
      const peer = await theirs(receiver.url, readFileSync(authority.caFile, 'utf8'), isSynced);
      const what = `drain of ${backlog.toLocaleString('en')} due deliveries over TLS`;
      await compare(what, deliverer, peer).finally(peer.close);
    }
  } finally {
    await deliverer.close();
    receiver.stop();
    authority.forget();
  }
});
