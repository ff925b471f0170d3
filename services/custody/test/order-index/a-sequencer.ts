import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresBusMigrations } from '@pto/bus';
import { migrate } from '@pto/database';
import { testDatabase, tlsEnvironment, until } from '@pto/testing';
import { custodyWebhooksKeys, ordersCustodyKeys } from '../custody-service.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Starts processes of the real service on one database, to be killed. */
export const sequencers = async (databaseUrl: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'custody-'));
  const bus = await testDatabase('bus');
  await migrate(bus.ownerUrl, postgresBusMigrations);
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    BUS_DATABASE_URL: bus.serviceUrl,
    CUSTODY_LOG_ORIGIN: 'log.test/custody',
    CUSTODY_SIGNING_KEYS: Buffer.alloc(32, 5).toString('base64'),
    CUSTODY_ANCHOR_FILE: join(folder, 'anchor.jsonl'),
    CUSTODY_CHECKPOINT_INTERVAL: '100ms',
    ORDERS_CUSTODY_KEYS: ordersCustodyKeys,
    CUSTODY_WEBHOOKS_KEYS: custodyWebhooksKeys,
    ORDERS_URL: 'https://127.0.0.1:1',
    ...tlsEnvironment('custody'),
    BIND_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    CONNECT_PORT: '0',
    ADMIN_PORT: '0',
  };
  const running = new Set<ReturnType<typeof spawn>>();
  return {
    busUrl: bus.serviceUrl,
    start: async (more: Readonly<Record<string, string>> = {}) => {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running.add(child);
      let output = '';
      child.stdout!.on('data', (chunk) => {
        output += chunk;
      });
      await until(() => output.includes('"msg":"started"'), {
        what: 'the process to start',
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      return {
        kill: async () => {
          child.kill('SIGKILL');
          await ended;
          running.delete(child);
        },
      };
    },
    stop: () => {
      for (const child of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
};
