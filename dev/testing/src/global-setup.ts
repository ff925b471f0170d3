import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder, forgetStores, type Stores, startStores } from '@pto/stores';
import { issueTestIdentities } from './identities.ts';

/**
 * Starts the stores once for all test files, in a folder of their own, and passes their addresses
 * to the workers. Stores named by DATABASE_URL, REDIS_URL or KAFKA_BROKERS are used instead. The
 * guards end the started stores even if jest is killed.
 */
export default async function startTestStores(): Promise<void> {
  await forgetAbandoned();
  const dir = mkdtempSync(join(tmpdir(), folderPrefix));
  // If root runs the tests, PostgreSQL runs as `nobody`, who must enter the folder. The secrets in
  // the folder are files of mode 0600.
  chmodSync(dir, 0o755);
  const brokers = process.env.KAFKA_BROKERS?.split(',').filter((broker) => broker !== '');
  const stores = await startStores({
    dir,
    want: {
      postgres: process.env.DATABASE_URL || undefined,
      redis: process.env.REDIS_URL || undefined,
      kafka: brokers?.length ? brokers : undefined,
    },
    postgresSettings,
    onProgress: (line) => process.stderr.write(`stores: ${line}\n`),
  });
  for (const line of stores.missing) {
    process.stderr.write(`\n*** TESTS WILL BE SKIPPED: ${line}\n\n`);
  }
  running = { stores, dir };
  issueTestIdentities(join(dir, 'identities'));
  process.env.PTO_TEST_DIR = dir;
  process.env.PTO_TEST_POSTGRES = stores.postgres.url;
  process.env.PTO_TEST_REDIS = stores.redis?.url ?? '';
  process.env.PTO_TEST_KAFKA = stores.kafka?.brokers.join(',') ?? '';
}

/**
 * PostgreSQL leaves it to the system when files are written to the disk: its data survive a kill of it,
 * and need not survive one of the machine. Tests wait for its commits, and each makes a database.
 */
const postgresSettings = { fsync: 'off', full_page_writes: 'off' };

export const folderPrefix = 'pto-test-';

/**
 * Minimum age of a folder that is removed: a younger folder may belong to a run that has not locked
 * it yet.
 */
const settledAfterMs = 60_000;

/**
 * Removes the folders of test runs that were killed. A folder that is in use, or that another user
 * owns, stays.
 */
export const forgetAbandoned = async (): Promise<void> => {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(folderPrefix))) {
    const dir = join(tmpdir(), name);
    try {
      if (Date.now() - statSync(dir).ctimeMs < settledAfterMs) continue;
      const lock = await claimFolder(dir, () => {});
      forgetStores(dir);
      lock.release();
      rmSync(dir, { recursive: true, force: true });
    } catch {
      // the folder is in use, or another user owns it
    }
  }
};

let running: { readonly stores: Stores; readonly dir: string } | undefined;

/** Returns the running stores to the tear-down, once. */
export const takeRunning = (): typeof running => {
  const taken = running;
  running = undefined;
  return taken;
};
