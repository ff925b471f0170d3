import { type Database, execute } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import { holdLog } from './integrate.ts';
import { tileWidth } from './stored-log.ts';

const hashBytes = 32;

/**
 * Halts the log if its tiles have more leaves than it. Both grow in one transaction, so somebody has
 * removed leaves; no checkpoint tells, if they were not signed yet. New entries cannot take their
 * places, because a tile is never changed.
 * @returns why the log halts, or null.
 */
export const haltIfCut = (db: Database): Promise<string | null> =>
  db.transaction(async (tx) => {
    const state = await holdLog(tx);
    if (!state) return null; // another replica holds the log
    if (state.halted !== null) return state.halted;
    const newest = tables
      .selectFrom('log_tiles')
      .select(({ fn }) => ['tile_index', fn<number>('octet_length', ['hashes']).as('bytes')])
      .where('level', '=', 0)
      .orderBy('tile_index', 'desc')
      .limit(1);
    const [tile] = await execute(tx, newest);
    const leaves = tile ? Number(tile.tile_index) * tileWidth + tile.bytes / hashBytes : 0;
    if (leaves <= state.size) return null;
    const halted = `the log has ${state.size} leaves, and its tiles have ${leaves}`;
    await execute(tx, tables.updateTable('log_state').set({ halted }));
    return halted;
  });
