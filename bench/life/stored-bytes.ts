import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Mesh } from '../../e2e/mesh.ts';

/** Bytes by the name of what stores them. */
export type StoredBytes = Readonly<Record<string, number>>;

const databases = ['access', 'orders', 'custody', 'webhooks'] as const;

/** The size of each database with its indexes, of PostgreSQL's log so far, and of Kafka's topics. */
export const storedBytes = async (stack: Mesh): Promise<StoredBytes> => {
  const client = new pg.Client(stack.file().stores.postgres.superuser);
  await client.connect();
  try {
    await client.query('checkpoint');
    const { rows } = await client.query(
      'select datname, pg_database_size(datname)::float8 as size from pg_database where datname = any ($1)',
      [databases],
    );
    const log = await client.query("select (pg_current_wal_lsn() - '0/0')::float8 as size");
    const sizes = rows.map(({ datname, size }) => [`database ${datname}`, size]);
    return {
      ...Object.fromEntries(sizes),
      "PostgreSQL's log": log.rows[0].size,
      'Kafka topics': topicBytes(join(stack.dir, 'kafka')),
    };
  } finally {
    await client.end();
  }
};

/** Segments of the event topics. Index files are preallocated, so they say nothing. */
const topicBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /-events\.v1-\d+\/.*\.log$/.test(file))
    .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/** What each store grew by, for one of `count` operations. */
export const bytesSince = (before: StoredBytes, now: StoredBytes, count: number): StoredBytes =>
  Object.fromEntries(
    Object.entries(now).map(([name, size]) => [name, (size - before[name]!) / count]),
  );
