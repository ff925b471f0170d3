import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStores } from '@pto/stores';
import { folderPrefix, forgetAbandoned } from './abandoned-folders.ts';
import { issueTestIdentities } from './identities.ts';
import { keepRunning } from './running-stores.ts';

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
    onProgress: (line) => process.stderr.write(`stores: ${line}\n`),
  });
  for (const line of stores.missing) {
    process.stderr.write(`\n*** TESTS WILL BE SKIPPED: ${line}\n\n`);
  }
  keepRunning({ stores, dir });
  issueTestIdentities(join(dir, 'identities'));
  process.env.PTO_TEST_POSTGRES = stores.postgres.url;
  process.env.PTO_TEST_REDIS = stores.redis?.url ?? '';
  process.env.PTO_TEST_KAFKA = stores.kafka?.brokers.join(',') ?? '';
}
