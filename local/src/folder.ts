import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dropDatabase, provision } from '@pto/database/provision';
import { claimFolder, type FolderLock, forgetStores } from '@pto/stores';
import type { LaunchArguments } from './arguments.ts';
import { demoFile } from './demo.ts';
import { credentialsFile } from './operators/organizations.ts';
import type { DatabaseUrls } from './processes/stack-settings.ts';
import { databasesOf, inCell } from './processes/stack-settings.ts';
import { authorityFolder } from './secrets/authority.ts';
import type { Secrets } from './secrets/secrets.ts';
import { secretsFile } from './secrets/secrets.ts';
import { removeStackFile } from './stack/stack-file.ts';

export const mailFolder = 'mail';
export const artifactsFolder = 'artifacts';
/**
 * Files of the hourly checkpoints outside of custody's databases. The files with recent checkpoints
 * have names that begin with these names.
 */
const anchorName = 'custody-anchor';
const auditorName = 'custody-auditor';
export const anchorFileOf = (cell: string): string => `${inCell(anchorName, cell, '-')}.jsonl`;
export const auditorFileOf = (cell: string): string => `${inCell(auditorName, cell, '-')}.json`;

/** Files and folders that `--fresh` removes in addition to the stores' files. */
const ours = [secretsFile, credentialsFile, demoFile, authorityFolder, mailFolder, artifactsFolder];

/** Locks the folder for this local stack. With `--fresh`, removes all state of earlier starts. */
export const openFolder = async (
  { dir, cells, fresh, given }: LaunchArguments,
  say: (line: string) => void,
): Promise<FolderLock> => {
  const lock = await claimFolder(dir, say);
  try {
    removeStackFile(dir);
    if (fresh) {
      say('deleting all state of earlier starts');
      forgetStores(dir);
      for (const name of readdirSync(dir))
        if (ours.includes(name) || name.startsWith(anchorName) || name.startsWith(auditorName))
          rmSync(join(dir, name), { recursive: true, force: true });
      for (const name of [
        ...databasesOf(cells),
        ...cells.map((cell) => inCell(busDatabase, cell)),
      ]) {
        const server = given.databases[name] ?? given.postgres;
        // drops no other databases of a server that the user gave
        if (server) await dropDatabase(server, name);
      }
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
};

/** Name of the database of the bus on PostgreSQL, which is used if there is no Kafka. */
export const busDatabase = 'bus';

/**
 * Creates the databases and their roles, or updates existing ones.
 * @param serverOf returns the superuser's URL of a database's server.
 * @returns their URLs by name.
 */
export const provisionDatabases = async (
  serverOf: (name: string) => string,
  secrets: Secrets,
  names: readonly string[],
): Promise<Record<string, DatabaseUrls>> => {
  const urls: Record<string, DatabaseUrls> = {};
  for (const name of names) {
    const passwords = secrets.databases[name];
    if (!passwords) throw new Error(`no passwords for the database ${name}`);
    urls[name] = await provision(serverOf(name), name, passwords);
  }
  return urls;
};
