import { Client } from 'pg';
import { sessionOptions } from '../connections/session-settings.ts';

const connectTimeoutMs = 10_000;
const statementTimeoutMs = 60_000;

export const connected = async <T>(
  url: string,
  use: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    application_name: 'provision',
    options: sessionOptions(),
  });
  client.on('error', () => {}); // the current query rejects with the same error
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
};

export const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
};

export const withLogin = (
  url: string,
  database: string,
  user: string,
  password: string,
): string => {
  const changed = new URL(withDatabase(url, database));
  changed.username = user;
  changed.password = encodeURIComponent(password);
  return changed.href;
};
