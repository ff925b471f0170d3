import { withClient } from '@pto/stores';
import type { Client } from 'pg';
import type { LocalStack } from './local-stack.ts';

/** The databases that a local stack always has. */
export const databaseNames = ['access', 'orders', 'custody', 'webhooks'] as const;
export type DatabaseName = (typeof databaseNames)[number];

/** Runs statements as the superuser of a PostgreSQL server, given by its URL or by its local stack. */
export const asSuperuser = <T>(
  server: string | LocalStack,
  database: DatabaseName | 'postgres',
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  const url = new URL(
    typeof server === 'string' ? server : server.file().stores.postgres.superuser,
  );
  url.pathname = `/${database}`;
  return withClient(url.href, work);
};
