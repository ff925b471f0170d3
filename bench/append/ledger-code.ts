/** The code that appends to the ledger: this checkout's, or that of another commit. */
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate, openDatabase } from '@pto/database';
import { migrations } from '../../services/custody/migrations/index.ts';
import { fileAnchor } from '../../services/custody/src/anchor/file-anchor.ts';
import { appendEvents } from '../../services/custody/src/chain/append.ts';
import { checkpoint, logSizes } from '../../services/custody/src/log/checkpoints.ts';
import { integrate } from '../../services/custody/src/log/integrate.ts';
import { registerFirstKeys } from '../../services/custody/src/log/keys.ts';
import { noteSigner } from '../../services/custody/src/log/note-signer.ts';
import { TopTiles } from '../../services/custody/src/order-index/top-tiles.ts';

export const present = {
  name: 'present',
  migrate,
  openDatabase,
  migrations,
  fileAnchor,
  appendEvents,
  checkpoint,
  logSizes,
  integrate,
  registerFirstKeys,
  noteSigner,
  /** What a sequencer holds between checkpoints. */
  held: (): object => ({ topTiles: new TopTiles() }),
};

export type LedgerCode = typeof present;

/**
 * Loads the code of commit f3ad1ab, before proofs of origin and the order index. The folder's
 * packages are used as well, so its node_modules must be a copy, not a link to that of another
 * checkout: `git worktree add FOLDER f3ad1ab && cp -al node_modules FOLDER`.
 */
export const codeBefore = async (folder: string): Promise<LedgerCode> => {
  const load = (path: string) => import(pathToFileURL(join(resolve(folder), path)).href);
  const custody = (path: string) => load(`services/custody/${path}.ts`);
  const [database, { migrations }, { fileAnchor }, { appendEvents }] = await Promise.all([
    load('packages/database/src/index.ts'),
    custody('migrations/index'),
    custody('src/log/file-anchor'),
    custody('src/chain/append'),
  ]);
  const [{ checkpoint, logSizes }, { integrate }, { registerKeys }, { noteSigner }] =
    await Promise.all([
      custody('src/log/checkpoints'),
      custody('src/log/integrate'),
      custody('src/log/keys'),
      custody('src/log/note-signer'),
    ]);
  return {
    name: basename(resolve(folder)),
    migrate: database.migrate,
    openDatabase: database.openDatabase,
    migrations,
    fileAnchor,
    appendEvents,
    checkpoint,
    logSizes,
    integrate,
    registerFirstKeys: registerKeys,
    noteSigner,
    held: () => ({}),
  };
};
