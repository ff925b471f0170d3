/** Where a running local stack holds a text: rows of its databases, values of Redis, and files. */
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { Redis } from 'ioredis';
import { asSuperuser, type DatabaseName } from './as-superuser.ts';
import type { LocalStack } from './local-stack.ts';

const databases: readonly DatabaseName[] = ['access', 'orders', 'custody', 'webhooks'];

/**
 * Returns `DATABASE.TABLE` for each table with a row that contains the text, also as UTF-8 in a
 * `bytea`. Partitions are named by their own names.
 */
export const tablesWith = async (stack: LocalStack, text: string): Promise<string[]> => {
  const found: string[] = [];
  for (const database of databases)
    await asSuperuser(stack, database, async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `select c.oid::regclass::text as name from pg_class c
         join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
      );
      for (const { name } of tables) {
        const { rows } = await client.query(
          `select 1 from ${name} t where position($1::text in t::text) > 0
             or position(encode(convert_to($1::text, 'UTF8'), 'hex') in t::text) > 0 limit 1`,
          [text],
        );
        if (rows.length > 0) found.push(`${database}.${name}`);
      }
    });
  return found;
};

/** Returns the keys of Redis whose key or stored value contains the text. */
export const redisKeysWith = async (stack: LocalStack, text: string): Promise<string[]> => {
  const url = stack.file().stores.redis;
  if (!url) return [];
  const redis = new Redis(url);
  try {
    const found: string[] = [];
    for await (const keys of redis.scanStream())
      for (const key of keys as string[]) {
        const dump = await redis.dumpBuffer(key);
        if (key.includes(text) || dump?.includes(text)) found.push(key);
      }
    return found;
  } finally {
    redis.disconnect();
  }
};

/**
 * Returns the files below the stack's folder that contain the text: logs, Kafka's segments, mails,
 * and PostgreSQL's files without its write-ahead log.
 */
export const filesWith = (stack: LocalStack, text: string): string[] => {
  const args = ['-rlaF', '--exclude-dir=pg_wal', '--', text, stack.dir];
  try {
    const names = execFileSync('grep', args, { encoding: 'utf8' }).trim().split('\n');
    return names.map((name) => relative(stack.dir, name));
  } catch (error) {
    if ((error as { status?: number }).status === 1) return []; // nothing was found
    throw error;
  }
};
