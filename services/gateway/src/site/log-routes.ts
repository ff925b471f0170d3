import { mainCell } from '@pto/config';
import { Failure } from '@pto/errors';
import type { Backends } from '../backends.ts';
import { jsonRoute } from './json-route.ts';
import { forever, type PublicRoute } from './representation.ts';

const deadlineMs = 5000;
const tileWidth = 256;
/** 1 to 255: a tile of 256 is no partial one (C2SP tlog-tiles). */
const partialWidth = '[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5]';
/** Allows any website to read the log from a browser. */
const headers = { 'Access-Control-Allow-Origin': '*' };

/**
 * Serves the custody log of each cell as C2SP tlog-tiles specifies: that of the main cell below
 * `/custody`, that of another below `/cells/NAME/custody`. `/custody/logs.json` lists them, one that
 * cannot be read with its path alone. A log contains only hashes, so anyone may read it and verify
 * that it is append-only.
 */
export const logRoutes = (backends: Pick<Backends, 'log' | 'cells'>): readonly PublicRoute[] => [
  ...backends.cells.flatMap((cell) => routesOf(backends, cell)),
  jsonRoute(
    '/custody/logs.json',
    ({ logs }) => (logs.every((log) => 'keys' in log) ? 60 : 0),
    async () => {
      const read = await readLogs(backends, deadlineMs);
      const logs = backends.cells.map((cell) => ({ path: pathOf(cell), ...read.get(cell) }));
      return { logs };
    },
  ),
];

/** Returns the path of a cell's log. */
export const pathOf = (cell: string): `/${string}` =>
  cell === mainCell ? '/custody' : `/cells/${cell}/custody`;

const routesOf = ({ log }: Pick<Backends, 'log'>, cell: string): readonly PublicRoute[] => {
  const prefix = pathOf(cell);
  const within = () => ({ cell, deadline: performance.now() + deadlineMs });
  const tileRoute = (
    first: string,
    name: string,
    kindOf: (level: number) => { level: number } | { entries: true } | { orders: true },
  ): PublicRoute => ({
    path: tilePath(prefix, first),
    name: `${prefix}/tile/${name}/:index`,
    read: async ({ level, index = '', width = tileWidth }) => {
      const place = { index: BigInt(tileIndex(index)), width: Number(width) };
      const { tile } = await log.getTile({ ...place, ...kindOf(Number(level)) }, within());
      const contentType = 'application/octet-stream';
      return { contentType, bytes: tile, cacheControl: forever, headers };
    },
  });
  return [
    {
      path: new RegExp(`^${prefix}/checkpoint$`),
      name: `${prefix}/checkpoint`,
      read: async () => ({
        contentType: 'text/plain; charset=utf-8',
        bytes: Buffer.from((await log.getCheckpoint({}, within())).note),
        cacheControl: 'public, max-age=1',
        headers,
      }),
    },
    jsonRoute(`${prefix}/keys.json`, 60, () => readLogKeys({ log }, cell, deadlineMs)),
    tileRoute('entries', 'entries', () => ({ entries: true })),
    tileRoute('orders', 'orders', () => ({ orders: true })),
    tileRoute('(?<level>[0-7])', ':level', (level) => ({ level })),
  ];
};

/**
 * Returns the pattern of a tile's path. An index is written in groups of three digits; each group
 * but the last begins with `x`.
 */
const tilePath = (prefix: string, first: string): RegExp =>
  new RegExp(
    `^${prefix}/tile/${first}/(?<index>(?:x\\d{3}/){0,4}\\d{3})(?:\\.p/(?<width>${partialWidth}))?$`,
  );

const tileIndex = (text: string): number => {
  // each tile has one spelling: no leading group of zeros
  if (text.startsWith('x000/'))
    throw new Failure('NOT_FOUND', 'There is no such tile.', { details: { resource: 'tile' } });
  return Number(text.replace(/[x/]/g, ''));
};

/**
 * Reads the keys of a cell's custody log, the body of /custody/keys.json, from custody.
 * @param deadlineMs maximum duration of the RPC.
 * @throws Failure if custody is unavailable.
 */
export const readLogKeys = async (
  { log }: Pick<Backends, 'log'>,
  cell: string,
  deadlineMs: number,
) => {
  const call = { cell, deadline: performance.now() + deadlineMs };
  const { origin, keys } = await log.listKeys({}, call);
  return {
    origin,
    keys: keys.map(({ vkey, validFrom, validUntil = null }) => ({
      vkey,
      valid_from: validFrom,
      valid_until: validUntil,
    })),
  };
};

/**
 * Reads the keys of the logs of all cells at the same time.
 * @returns the keys by cell, in the order of the cells, without those that could not be read.
 * @throws Failure if none could be read.
 */
export const readLogs = async (
  backends: Pick<Backends, 'log' | 'cells'>,
  deadlineMs: number,
): Promise<ReadonlyMap<string, LogKeys>> => {
  const { cells } = backends;
  const reads = await Promise.allSettled(
    cells.map((cell) => readLogKeys(backends, cell, deadlineMs)),
  );
  const found = reads.flatMap((read, n) =>
    read.status === 'fulfilled' ? [[cells[n]!, read.value] as const] : [],
  );
  const [first] = reads;
  if (found.length === 0 && first?.status === 'rejected') throw first.reason;
  return new Map(found);
};

export type LogKeys = Awaited<ReturnType<typeof readLogKeys>>;
