import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Mesh } from '../../e2e/mesh.ts';

/** Bytes by the name of what stores them. */
export type StoredBytes = Readonly<Record<string, number>>;

const databases = ['access', 'orders', 'custody', 'webhooks'] as const;

/** Tables with their indexes and TOAST tables; the partitions of a table count as that table. */
const tableSizes = `
  select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
         sum(pg_total_relation_size(c.oid))::float8 as size
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
   group by 1`;

/** The size of each table with its indexes, of PostgreSQL's log so far, and of Kafka's topics. */
export const storedBytes = async (stack: Mesh): Promise<StoredBytes> => {
  const { superuser } = stack.file().stores.postgres;
  const sizes: [string, number][] = [];
  for (const database of databases) {
    const url = new URL(superuser);
    url.pathname = `/${database}`;
    const { rows } = await query(url.href, tableSizes);
    for (const { name, size } of rows) sizes.push([`${database}: ${name}`, size]);
  }
  await query(superuser, 'checkpoint');
  const log = await query(superuser, "select (pg_current_wal_lsn() - '0/0')::float8 as size");
  return {
    ...Object.fromEntries(sizes),
    "PostgreSQL's log": log.rows[0].size,
    'Kafka topics': topicBytes(join(stack.dir, 'kafka')),
  };
};

const query = async (connectionString: string, text: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
};

/** Segments of the event topics. Index files are preallocated, so they say nothing. */
const topicBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /-events\.v1-\d+\/.*\.log$/.test(file))
    .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/** What each store grew by, for one of `count` operations. A new table counts from zero. */
export const bytesSince = (before: StoredBytes, now: StoredBytes, count: number): StoredBytes =>
  Object.fromEntries(
    Object.entries(now).map(([name, size]) => [name, (size - (before[name] ?? 0)) / count]),
  );
