import { readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder, forgetStores } from '@pto/stores';

export const folderPrefix = 'pto-test-';

/**
 * Minimum age of a folder that is removed: a younger folder may belong to a run that has not locked
 * it yet.
 */
const settledAfterMs = 60_000;

/**
 * Removes the folders of test runs that were killed. A folder that is in use, or that another user
 * owns, stays.
 */
export const forgetAbandoned = async (): Promise<void> => {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(folderPrefix))) {
    const dir = join(tmpdir(), name);
    try {
      if (Date.now() - statSync(dir).ctimeMs < settledAfterMs) continue;
      const lock = await claimFolder(dir, () => {});
      forgetStores(dir);
      lock.release();
      rmSync(dir, { recursive: true, force: true });
    } catch {
      // the folder is in use, or another user owns it
    }
  }
};
