/** Where a running local stack holds a text: rows of its databases, values of Redis, and files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { tablesWith } from '@pto/testing';
import { Redis } from 'ioredis';
import { asSuperuser, type DatabaseName } from '../as-superuser.ts';
import type { LocalStack } from '../local-stack.ts';

const databases: readonly DatabaseName[] = ['access', 'orders', 'custody', 'webhooks'];

/** Returns `DATABASE.TABLE` for each table that `tablesWith` finds. */
export const tablesOfStackWith = async (stack: LocalStack, text: string): Promise<string[]> => {
  const found: string[] = [];
  for (const database of databases) {
    const names = await asSuperuser(stack, database, (client) => tablesWith(client, text));
    found.push(...names.map((name) => `${database}.${name}`));
  }
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

/**
 * Returns the files below the stack's folder that contain one of the sequences of bytes, which have no
 * end of a line: as `filesWith`, and the write-ahead log, which a backup of PostgreSQL has as well.
 */
export const filesWithBytes = (stack: LocalStack, sequences: readonly Buffer[]): string[] => {
  const any = sequences.map((one) => one.toString('hex').replaceAll(/../g, '\\x$&')).join('|');
  const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } } as const;
  const args = ['-rlaP', '--', any, stack.dir];
  const { status, stdout, stderr } = spawnSync('grep', args, options);
  // of a file that was removed meanwhile grep says that there is none
  const isRead = stderr.split('\n').every((line) => line === '' || /No such file/.test(line));
  if (status === null || !isRead) throw new Error(`grep ended with ${status}: ${stderr}`);
  return stdout.split('\n').flatMap((name) => (name === '' ? [] : relative(stack.dir, name)));
};
