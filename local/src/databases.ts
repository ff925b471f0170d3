import { dropDatabase, provision } from '@pto/database/provision';
import type { DatabaseUrls } from './plan.ts';
import type { Secrets } from './secrets.ts';
import { databaseOf, serviceNames } from './services.ts';

/** One for each service. */
export const serviceDatabases = serviceNames.map((name) => databaseOf[name]);

/** The bus's own, where there is no Kafka. */
export const busDatabase = 'bus';

/** Makes the databases and their roles, or brings them to form. @returns their URLs by name */
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

/** On a server that was given: forgets what earlier local stacks stored there, and nothing else. */
export const forgetDatabases = async (superuserUrl: string): Promise<void> => {
  for (const name of [...serviceDatabases, busDatabase]) await dropDatabase(superuserUrl, name);
};
