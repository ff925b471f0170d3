import { type Database, openDatabase, withoutSequentialScans } from '@pto/database';
import { Failure } from '@pto/errors';
import { type MovedService, movedServices } from '@pto/moves';
import { type Telemetry, unreadMetrics } from '@pto/telemetry';

/** The databases of a cell, as their owners. */
export type CellDatabases = Readonly<Record<MovedService, Database>>;

/** The URLs of the databases' owners by service and cell. */
export type CellUrls = Readonly<Record<MovedService, ReadonlyMap<string, string>>>;

/**
 * Pages are read in the order of an index. By outdated statistics the planner sorts all rows for each
 * page: 186 instead of 24 ms for a page of 50,000 deliveries.
 */
const session = { ...withoutSequentialScans, enable_bitmapscan: 'off' };
const pool = { poolMax: 3, statementTimeoutMs: 60_000, lockTimeoutMs: 2500, session };

/**
 * Returns a function that opens the databases of a cell once, and one that closes all. They are open
 * during a step of a move alone.
 */
export const openedCells = (urls: CellUrls, telemetry: Telemetry) => {
  const opened: Database[] = [];
  const cells = new Map<string, Promise<CellDatabases>>();
  const open = async (cell: string): Promise<CellDatabases> => {
    const databases = await Promise.all(
      movedServices.map(async (name) => {
        const url = urls[name].get(cell);
        if (url === undefined)
          throw new Failure('SERVICE_UNAVAILABLE', `The settings name no cell ${cell}.`);
        // metrics that nobody reads: each pool has the same names
        const own = { ...telemetry, metrics: unreadMetrics() };
        const db = await openDatabase({ ...pool, url, telemetry: own });
        opened.push(db);
        return [name, db] as const;
      }),
    );
    return Object.fromEntries(databases) as CellDatabases;
  };
  return {
    /** @throws Failure SERVICE_UNAVAILABLE if a database does not respond. */
    of: (cell: string): Promise<CellDatabases> => {
      const known =
        cells.get(cell) ??
        open(cell).catch((cause) => {
          cells.delete(cell);
          if (cause instanceof Failure) throw cause;
          throw new Failure(
            'SERVICE_UNAVAILABLE',
            `A database of the cell ${cell} does not respond.`,
            { cause },
          );
        });
      cells.set(cell, known);
      return known;
    },
    close: async () => {
      await Promise.all(opened.map((db) => db.close()));
    },
  };
};

export type Cells = ReturnType<typeof openedCells>;
