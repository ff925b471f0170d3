import { dropDatabase, provision } from '@pto/database/provision';
import { databaseOf, serviceNames } from './processes/services.ts';
import type { DatabaseUrls } from './processes/stack-parts.ts';
import type { Secrets } from './secrets/secrets.ts';

/** Names of the services' databases. */
export const serviceDatabases = [...new Set(serviceNames.map((name) => databaseOf[name]))];

/** Name of the database of the bus on PostgreSQL, which is used if there is no Kafka. */
export const busDatabase = 'bus';

/** Creates the databases and their roles, or updates existing ones. @returns their URLs by name. */
export const provisionDatabases = async (
  superuserUrl: string,
  secrets: Secrets,
  names: readonly string[],
): Promise<Record<string, DatabaseUrls>> => {
  const urls: Record<string, DatabaseUrls> = {};
  for (const name of names) {
    const passwords = secrets.databases[name];
    if (!passwords) throw new Error(`no passwords for the database ${name}`);
    urls[name] = await provision(superuserUrl, name, passwords);
  }
  return urls;
};

/**
 * Drops the local stack's databases and their roles from a PostgreSQL server that the user gave.
 * Drops no other databases.
 */
export const forgetDatabases = async (superuserUrl: string): Promise<void> => {
  for (const name of [...serviceDatabases, busDatabase]) await dropDatabase(superuserUrl, name);
};
