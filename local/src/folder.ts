import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claimFolder, type FolderLock, forgetStores } from '@pto/stores';
import type { LaunchArguments } from './arguments.ts';
import { forgetDatabases } from './databases.ts';
import { demoFile } from './demo/demo-file.ts';
import { credentialsFile } from './operators/organizations.ts';
import { authorityFolder } from './secrets/authority.ts';
import { secretsFile } from './secrets/secrets.ts';
import { removeStackFile } from './stack/stack-file.ts';

export const mailFolder = 'mail';
/**
 * File of custody's hourly checkpoints outside of its database. The files with recent checkpoints
 * have names that begin with this name.
 */
export const anchorName = 'custody-anchor.jsonl';
export const auditorName = 'custody-auditor.json';

/** Files and folders that `--fresh` removes in addition to the stores' files. */
const ours = [
  secretsFile,
  credentialsFile,
  demoFile,
  authorityFolder,
  mailFolder,
  anchorName,
  auditorName,
];

/** Locks the folder for this local stack. With `--fresh`, removes all state of earlier starts. */
export const openFolder = async (
  { dir, fresh, given }: LaunchArguments,
  say: (line: string) => void,
): Promise<FolderLock> => {
  const lock = await claimFolder(dir, say);
  try {
    removeStackFile(dir);
    if (fresh) {
      say('deleting all state of earlier starts');
      forgetStores(dir);
      for (const name of readdirSync(dir))
        if (ours.includes(name) || name.startsWith(`${anchorName}.`))
          rmSync(join(dir, name), { recursive: true, force: true });
      if (given.postgres) await forgetDatabases(given.postgres);
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
};
