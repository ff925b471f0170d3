import { type DatabaseName, databaseNames } from '../../../e2e/as-superuser.ts';
import { openLoaded } from '../bed/loaded.ts';
import type { Bed } from '../drill.ts';
import { openServer, type Server } from './server.ts';

/** Starts a server for each database, the services under load, and a base backup of each server. */
export const openServers = async (bed: Bed) => {
  const opened = await bed.step('four servers with continuous archiving', () =>
    Promise.all(databaseNames.map((name) => openServer(bed, name))),
  );
  const servers = Object.fromEntries(opened.map((one) => [one.name, one]));
  const urls = opened.map(({ name, url }) => [`DATABASE_URL_${name.toUpperCase()}`, url]);
  const env = { ...Object.fromEntries(urls), DATABASE_URL: servers.access!.url };
  const on = await openLoaded(bed, { env });
  await bed.step('a base backup of each, while partners place orders', async () => {
    for (const server of opened) await server.backup();
    await on.closed(5);
  });
  return { on, servers: servers as Readonly<Record<DatabaseName, Server>> };
};
