/**
 * The other side of R4: Outpost, built from its sources (bench/README.md), with a RabbitMQ of its
 * own, and PostgreSQL and Redis of the local stack.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, uniqueName, until } from '@pto/testing';
import pg from 'pg';
import type { Mesh } from '../../e2e/mesh.ts';
import { timed } from '../fairness/calls.ts';
import { microsOf, withChildren } from '../http/processes.ts';
import { requireStatus } from '../measuring/void-run.ts';
import { startRabbitmq } from './rabbitmq.ts';
import type { Side } from './side.ts';

const apiKey = 'of-the-benchmark';
const topic = 'order.submitted';
const startMaxMs = 60_000;
const stopMaxMs = 30_000;

interface Given {
  /** Folder with `outpost` and `outpost-server`. */
  readonly binaries: string;
  readonly stack: Mesh;
  readonly receiverUrl: string;
  /** A webhook of ours; each event has its data, with an order id of its own. */
  readonly body: { data: { order: object } };
  /** Number of tenants; each has one destination, the receiver. */
  readonly tenants: number;
}

/**
 * Starts Outpost: one process with its API, its deliveries and its log, as many at once as its own
 * load test has (its defaults are 1). Ends it after the work.
 */
export const withOutpost = async (
  given: Given,
  work: (side: Side) => Promise<void>,
): Promise<void> => {
  /** What was started, the last first. */
  const ends: (() => unknown)[] = [];
  try {
    await work(await start(given, (end) => ends.unshift(end)));
  } finally {
    for (const end of ends) await end();
  }
};

const start = async (
  { binaries, stack, receiverUrl, body, tenants }: Given,
  onEnd: (end: () => unknown) => void,
): Promise<Side> => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-'));
  onEnd(() => rmSync(folder, { recursive: true }));
  const rabbitmq = await startRabbitmq(join(folder, 'rabbitmq'));
  onEnd(rabbitmq.stop);
  const { stores, receiver } = stack.file();
  const postgres = new pg.Client({ connectionString: stores.postgres.superuser });
  await postgres.connect();
  onEnd(() => postgres.end());
  const database = uniqueName('outpost');
  await postgres.query(`create database ${database}`);
  onEnd(() => postgres.query(`drop database ${database} with (force)`));
  const port = await freePort();
  const redis = new URL(stores.redis!);
  const env = {
    PATH: `${binaries}:${process.env.PATH}`,
    API_PORT: `${port}`,
    API_KEY: apiKey,
    API_JWT_SECRET: apiKey,
    AES_ENCRYPTION_SECRET: apiKey,
    POSTGRES_URL: databaseUrl(stores.postgres.superuser, database),
    REDIS_HOST: redis.hostname,
    REDIS_PORT: redis.port,
    REDIS_PASSWORD: redis.password,
    RABBITMQ_SERVER_URL: rabbitmq.url,
    PUBLISH_MAX_CONCURRENCY: '100',
    DELIVERY_MAX_CONCURRENCY: '100',
    LOG_MAX_CONCURRENCY: '100',
    TOPICS: topic,
    LOG_LEVEL: 'warn',
    GIN_MODE: 'release',
    DISABLE_TELEMETRY: 'true',
    SSL_CERT_FILE: receiver.caFile,
  };
  const options = { cwd: folder, env, stdio: 'ignore' as const };
  execFileSync(join(binaries, 'outpost'), ['migrate', 'apply', '--yes'], options);
  const server: ChildProcess = spawn(join(binaries, 'outpost-server'), options);
  onEnd(async () => {
    server.kill('SIGTERM');
    const ended = () => server.exitCode !== null || server.signalCode !== null;
    await until(ended, { what: 'the end of Outpost', deadlineMs: stopMaxMs });
  });
  const call = (method: 'GET' | 'PUT' | 'POST', path: string, content?: unknown) =>
    timed(`http://127.0.0.1:${port}`, method, `/api/v1${path}`, apiKey, content);
  await until(async () => (await call('GET', '/healthz')).status === 200, {
    what: 'Outpost',
    deadlineMs: startMaxMs,
  });
  for (let n = 0; n < tenants; n++) {
    requireStatus('tenant', 201, (await call('PUT', `/tenants/${n}`)).status);
    const destination = { type: 'webhook', topics: [topic], config: { url: receiverUrl } };
    const made = await call('POST', `/tenants/${n}/destinations`, destination);
    requireStatus(`destination ${made.text}`, 201, made.status);
  }
  return {
    name: 'Outpost',
    send: async (n) => {
      const id = crypto.randomUUID();
      const data = { ...body, data: { ...body.data, order: { ...body.data.order, id } } };
      const event = { tenant_id: `${n % tenants}`, topic, data };
      const { status, text, ms } = await call('POST', '/publish', event);
      requireStatus(`publish ${text}`, 202, status);
      return { id, ms };
    },
    cpu: () => ({
      outpost: microsOf([server.pid!]),
      rabbitmq: microsOf(withChildren(rabbitmq.pid)),
      postgres: microsOf(withChildren(stores.pids.postgres!)),
      redis: microsOf(withChildren(stores.pids.redis!)),
    }),
  };
};

const databaseUrl = (superuserUrl: string, name: string): string => {
  const url = new URL(superuserUrl);
  url.pathname = `/${name}`;
  url.searchParams.set('sslmode', 'disable');
  return url.href;
};
