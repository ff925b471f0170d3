import { Failure } from '@pto/errors';
import type { Backends } from '../backends.ts';
import type { PublicResource, PublicRoute } from './representation.ts';

const deadlineMs = 5000;
const tileWidth = 256;
/** Allows any website to read the log from a browser. */
const headers = { 'Access-Control-Allow-Origin': '*' };

/**
 * Serves the custody log below `/custody`, as C2SP tlog-tiles specifies. The log contains only
 * hashes, so anyone may read it and verify that it is append-only.
 */
export const logRoutes = ({ log }: Pick<Backends, 'log'>): readonly PublicRoute[] => {
  const within = () => ({ deadline: performance.now() + deadlineMs });
  const tile = async (
    { index = '', width }: Readonly<Record<string, string | undefined>>,
    kind: { level: number } | { entries: true } | { orders: true },
  ): Promise<PublicResource> => {
    const tile = { index: BigInt(tileIndex(index)), width: Number(width ?? tileWidth), ...kind };
    const found = await log.getTile(tile, within());
    return {
      contentType: 'application/octet-stream',
      bytes: found.tile,
      maxAgeSeconds: 'forever',
      headers,
    };
  };
  return [
    {
      path: /^\/custody\/checkpoint$/,
      name: '/custody/checkpoint',
      read: async () => ({
        contentType: 'text/plain; charset=utf-8',
        bytes: Buffer.from((await log.getCheckpoint({}, within())).note),
        maxAgeSeconds: 1,
        headers,
      }),
    },
    {
      path: /^\/custody\/keys\.json$/,
      name: '/custody/keys.json',
      read: async () => {
        const keys = await readLogKeys({ log }, deadlineMs);
        return {
          contentType: 'application/json',
          bytes: Buffer.from(JSON.stringify(keys)),
          maxAgeSeconds: 60,
          headers,
        };
      },
    },
    {
      path: tilePath('entries'),
      name: '/custody/tile/entries/:index',
      read: (groups) => tile(groups, { entries: true }),
    },
    {
      path: tilePath('orders'),
      name: '/custody/tile/orders/:index',
      read: (groups) => tile(groups, { orders: true }),
    },
    {
      path: tilePath('(?<level>[0-7])'),
      name: '/custody/tile/:level/:index',
      read: (groups) => tile(groups, { level: Number(groups.level) }),
    },
  ];
};

/**
 * Returns the pattern of a tile's path. An index is written in groups of three digits; each group
 * but the last begins with `x`.
 */
const tilePath = (first: string): RegExp =>
  new RegExp(
    `^/custody/tile/${first}/(?<index>(?:x\\d{3}/){0,4}\\d{3})(?:\\.p/(?<width>[1-9]\\d{0,2}))?$`,
  );

const tileIndex = (text: string): number => {
  // each tile has one spelling: no leading group of zeros
  if (text.startsWith('x000/'))
    throw new Failure('NOT_FOUND', 'There is no such tile.', { details: { resource: 'tile' } });
  return Number(text.replace(/[x/]/g, ''));
};

/**
 * Reads the keys of the custody log, the body of /custody/keys.json, from custody.
 * @param deadlineMs maximum duration of the RPC.
 * @throws Failure if custody is unavailable.
 */
export const readLogKeys = async ({ log }: Pick<Backends, 'log'>, deadlineMs: number) => {
  const { origin, keys } = await log.listKeys({}, { deadline: performance.now() + deadlineMs });
  return {
    origin,
    keys: keys.map(({ vkey, validFrom, validUntil = null }) => ({
      vkey,
      valid_from: validFrom,
      valid_until: validUntil,
    })),
  };
};

export type LogKeys = Awaited<ReturnType<typeof readLogKeys>>;
