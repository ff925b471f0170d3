/** The code that appends to the ledger: this checkout's, or that of another commit. */
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate, openDatabase } from '@pto/database';
import { migrations } from '../../services/custody/migrations/index.ts';
import { fileAnchor } from '../../services/custody/src/anchor/file-anchor.ts';
import { appendEvents } from '../../services/custody/src/chain/append.ts';
import { checkpoint } from '../../services/custody/src/checkpoints/checkpoints.ts';
import { logSizes } from '../../services/custody/src/checkpoints/stored-checkpoints.ts';
import { integrate } from '../../services/custody/src/log/integrate.ts';
import { registerFirstKeys } from '../../services/custody/src/log/keys.ts';
import { noteSigner } from '../../services/custody/src/notes/note-signer.ts';
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
  TopTiles: TopTiles as typeof TopTiles | undefined,
};

/** Proofs of origin came with the order index, whose upper tiles a sequencer holds in memory. */
export type LedgerCode = typeof present;

/**
 * Loads the code of another commit. The folder's packages are used as well, so its node_modules must
 * be a copy, not a link to that of another checkout:
 * `git worktree add FOLDER COMMIT && cp -al node_modules FOLDER`.
 */
export const codeOf = async (folder: string): Promise<LedgerCode> => {
  const load = (path: string) => import(pathToFileURL(join(resolve(folder), path)).href);
  const custody = (path: string) => load(`services/custody/${path}.ts`);
  const { migrate, openDatabase } = await load('packages/database/src/index.ts');
  const keys = await custody('src/log/keys');
  return {
    name: basename(resolve(folder)),
    migrate,
    openDatabase,
    registerFirstKeys: keys.registerFirstKeys ?? keys.registerKeys,
    ...(await custody('migrations/index')),
    ...(await custody('src/anchor/file-anchor').catch(() => custody('src/log/file-anchor'))),
    ...(await custody('src/chain/append')),
    ...(await custody('src/checkpoints/checkpoints').catch(() => custody('src/log/checkpoints'))),
    ...(await custody('src/checkpoints/stored-checkpoints').catch(() => ({}))),
    ...(await custody('src/log/integrate')),
    ...(await custody('src/notes/note-signer').catch(() => custody('src/log/note-signer'))),
    ...(await custody('src/order-index/top-tiles').catch(() => ({}))),
  };
};
