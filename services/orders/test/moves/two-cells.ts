import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from '@pto/proto/moves/v1/moves';
import { asOwner, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

/** The orders services of two cells, which share the store of artifacts and all keys. */
export const startTwoCells = async () => {
  const environment = { ARTIFACTS_DIR: await mkdtemp(join(tmpdir(), 'artifacts-')) };
  const [source, target] = [
    await startOrdersService({ environment }),
    await startOrdersService({ environment }),
  ];
  return {
    source,
    target,
    stop: async () => {
      await Promise.all([source.stop(), target.stop()]);
    },
  };
};

const tables = [
  ...['orders', 'locations', 'idempotency', 'done_commands', 'poll_moments', 'produced_events'],
  ...['disclosures', 'entry_operators', 'artifacts', 'unreported_events', 'moved_orders'],
] as const;

export type RowsByTable = Readonly<Record<(typeof tables)[number], readonly string[]>>;

/** Returns all rows of an organization as PostgreSQL prints them, sorted. */
export const rowsOf = async (
  { database }: Pick<OrdersUnderTest, 'database'>,
  organizationId: string,
): Promise<RowsByTable> => {
  const found: Partial<Record<(typeof tables)[number], readonly string[]>> = {};
  await asOwner(database, async (owner) => {
    for (const table of tables) {
      const { rows } = await owner.query<{ text: string }>(
        `select t::text as text from ${table} t where organization_id = $1`,
        [organizationId],
      );
      found[table] = rows.map(({ text }) => text).sort();
    }
  });
  return found as RowsByTable;
};

/** Reports all events of an organization, as custody does. */
export const reportAll = (
  { database }: Pick<OrdersUnderTest, 'database'>,
  organizationId: string,
): Promise<void> =>
  asOwner(database, (owner) =>
    owner.query(
      `with reported as (delete from unreported_events where organization_id = '${organizationId}'
         returning order_id)
       update orders set custody_sequence = sequence, custody_head_hash = repeat('a', 64)
       where organization_id = '${organizationId}' and id in (select order_id from reported)`,
    ),
  );

/** Holds an organization in a source until nothing is in progress, while custody reports. */
export const holdWrites = async (
  source: OrdersUnderTest,
  organizationId: string,
  token: bigint,
): Promise<void> => {
  for (let mark = '', remaining = 1n; remaining > 0n; ) {
    ({ mark, remaining } = await source.moves.hold({
      ...{ organizationId, token, mark },
      level: Level.WRITES,
    }));
    await reportAll(source, organizationId);
  }
};

export const holdArriving = async (
  { source, target }: { source: OrdersUnderTest; target: OrdersUnderTest },
  organizationId: string,
  token: bigint,
): Promise<void> => {
  const { probe } = await source.moves.mark({ organizationId, probeId: `${token}` });
  await target.moves.hold({ organizationId, token, level: Level.ARRIVING, probe });
};

/**
 * Copies what has changed since a mark. @param begun runs when the copy has its mark.
 * @returns the mark of this copy, and the pages.
 */
export const copy = async (
  { source, target }: { source: OrdersUnderTest; target: OrdersUnderTest },
  organizationId: string,
  token: bigint,
  since: string,
  begun: () => Promise<void> = async () => {},
): Promise<{ mark: string; pages: number; rows: number }> => {
  const { mark: until } = await source.moves.mark({ organizationId });
  await begun();
  let [page, pages, count] = ['', 0, 0];
  do {
    const read = await source.moves.export({ organizationId, since, until, page });
    const imported = await target.moves.import({ organizationId, token, rows: read.rows });
    page = read.nextPage;
    pages++;
    count += imported.rows;
  } while (page !== '');
  return { mark: until, pages, rows: count };
};
