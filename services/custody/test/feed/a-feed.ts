import { randomUUID } from 'node:crypto';
import {
  type Database,
  migrate,
  openDatabase,
  type Sql,
  withoutSequentialScans,
} from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { integrate } from '../../src/log/integrate.ts';

export const silent = () => createTelemetry({ service: 'test', write: () => {} });

export const open = (url: string, poolMax = 8): Promise<Database> =>
  openDatabase({
    url,
    poolMax,
    statementTimeoutMs: 20_000,
    lockTimeoutMs: 20_000,
    session: withoutSequentialScans,
    telemetry: silent(),
  });

/** A ledger's database without the service, and writers of entries without order events. */
export const startFeed = async () => {
  const database = await testDatabase('custody');
  await migrate(database.ownerUrl, migrations);
  const [db, owner] = await Promise.all([open(database.serviceUrl), open(database.ownerUrl)]);

  /** Appends one entry to a new order of each of these organizations, and queues it for the log. */
  const append = async (sql: Sql, organizations: readonly string[]): Promise<string[]> => {
    const orderIds = organizations.map(() => randomUUID());
    const values = [orderIds, organizations];
    const rows = `unnest($1::uuid[], $2::uuid[]) with ordinality as o (id, organization, n)`;
    await sql.query(
      `insert into chains (order_id, organization_id, sequence, head_hash)
       select id, organization, 1, md5(id::text) from ${rows}`,
      values,
    );
    await sql.query(
      `insert into entries (order_id, sequence, id, type, internal_type, ts_utc, prev_event_hash,
         event_hash, canonical_text)
       select id, 1, id, 'order.submitted', 'ORDER_SUBMITTED', '2026-01-15T09:30:00.000Z', '',
         encode(sha256(id::text::bytea), 'hex'), '' from unnest($1::uuid[]) id`,
      [orderIds],
    );
    await sql.query(
      `insert into log_queue (order_id, sequence, event_hash)
       select id, 1, encode(sha256(id::text::bytea), 'hex') from ${rows} order by n`,
      values,
    );
    return orderIds;
  };
  /**
   * Requires that an organization's entries are numbered 1, 2, 3 … in the log's order, up to its head.
   * @returns their number.
   */
  const requireGapless = async (organizationId: string): Promise<number> => {
    const [row] = await db.query<{ leaves: number; wrong: number; head: number }>(
      `select count(*)::int as leaves, (count(*) filter (where number <> nth))::int as wrong,
         coalesce((select number from feed_heads where organization_id = $1), 0)::int as head
       from (select number, row_number() over (order by leaf_index) as nth
         from log_leaves where organization_id = $1) as l`,
      [organizationId],
    );
    const { leaves, wrong, head } = row!;
    if (wrong > 0) throw new Error(`${wrong} of ${leaves} leaves have another number`);
    if (head !== leaves) throw new Error(`the head of ${leaves} leaves is ${head}`);
    return leaves;
  };
  /** The orders of an organization's entries by their numbers; these are gapless, in log order. */
  const ordersOf = async (organizationId: string): Promise<string[]> => {
    await requireGapless(organizationId);
    const rows = await db.query<{ order_id: string }>(
      'select order_id from log_leaves where organization_id = $1 order by leaf_index',
      [organizationId],
    );
    return rows.map((row) => row.order_id);
  };
  return {
    database,
    db,
    owner,
    append,
    ordersOf,
    requireGapless,
    /** Gives all queued entries their leaves. */
    place: async () => {
      while ((await integrate(db)) > 0);
    },
    stop: async () => {
      await Promise.all([db.close(), owner.close()]);
      await database.drop();
    },
  };
};

export type FeedUnderTest = Awaited<ReturnType<typeof startFeed>>;
