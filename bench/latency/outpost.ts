/**
 * The other side of R4: Outpost, built from its sources (bench/README.md), with a RabbitMQ that
 * runs already, and PostgreSQL and Redis of the local stack.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, uniqueName, until } from '@pto/testing';
import { asSuperuser } from '../../e2e/as-superuser.ts';
import type { LocalStack } from '../../e2e/local-stack.ts';
import { call } from '../http/calls.ts';
import { nameProcess } from '../measuring/process-cpu.ts';
import { requireStatus } from '../measuring/report.ts';
import type { Sender } from './constant-rate.ts';

const apiKey = 'of-the-benchmark';
const topic = 'order.submitted';
const startMaxMs = 60_000;
const stopMaxMs = 30_000;

interface Placeholders {
  /** Folder with `outpost` and `outpost-server`. */
  readonly binaries: string;
  readonly stack: LocalStack;
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
  given: Placeholders,
  work: (sender: Sender) => Promise<void>,
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
  { binaries, stack, receiverUrl, body, tenants }: Placeholders,
  onEnd: (end: () => unknown) => void,
): Promise<Sender> => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-'));
  onEnd(() => rmSync(folder, { recursive: true }));
  const { stores, receiver } = stack.file();
  const database = uniqueName('outpost');
  await asSuperuser(stack, 'postgres', (client) => client.query(`create database ${database}`));
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
    RABBITMQ_SERVER_URL: process.env.RABBITMQ_URL ?? 'amqp://guest:guest@127.0.0.1:5672',
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
  nameProcess(server.pid!, 'outpost');
  onEnd(async () => {
    server.kill('SIGTERM');
    const ended = () => server.exitCode !== null || server.signalCode !== null;
    await until(ended, { what: 'the end of Outpost', deadlineMs: stopMaxMs });
  });
  const ask = (method: 'GET' | 'PUT' | 'POST', path: string, content?: unknown) =>
    call(`http://127.0.0.1:${port}/api/v1`, method, path, apiKey, content);
  await until(async () => (await ask('GET', '/healthz')).status === 200, {
    what: 'Outpost',
    deadlineMs: startMaxMs,
  });
  for (let n = 0; n < tenants; n++) {
    requireStatus('tenant', 201, (await ask('PUT', `/tenants/${n}`)).status);
    const destination = { type: 'webhook', topics: [topic], config: { url: receiverUrl } };
    const made = await ask('POST', `/tenants/${n}/destinations`, destination);
    requireStatus(`destination ${made.text}`, 201, made.status);
  }
  return {
    name: 'Outpost',
    processes: ['outpost', 'postgres', 'redis'],
    send: async (n) => {
      const id = crypto.randomUUID();
      const data = { ...body, data: { ...body.data, order: { ...body.data.order, id } } };
      const event = { tenant_id: `${n % tenants}`, topic, data };
      const { status, text } = await ask('POST', '/publish', event);
      requireStatus(`publish ${text}`, 202, status);
      return id;
    },
  };
};

const databaseUrl = (superuserUrl: string, name: string): string => {
  const url = new URL(superuserUrl);
  url.pathname = `/${name}`;
  url.searchParams.set('sslmode', 'disable');
  return url.href;
};
