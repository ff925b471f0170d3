/** The rows of an organization in the database of orders. */
import { type Database, firstUuidv7, leastUuid, type Sql } from '@pto/database';
import { lockOrders } from '@pto/moves';
import {
  type Between,
  type CopiedTable,
  copyTable,
  deletionOf,
  nowMs,
  rowsWith,
  storeRows,
  takeMark,
} from './rows.ts';

const locations: CopiedTable = { name: 'locations', key: { id: 'uuid' } };
const ordersTable: CopiedTable = { name: 'orders', key: { id: 'uuid' } };
const produced: CopiedTable = {
  name: 'produced_events',
  key: { order_id: 'uuid', sequence: 'int' },
  neverChanged: true,
};
const idempotency: CopiedTable = {
  name: 'idempotency',
  key: { route: 'text', key: 'text', id: 'uuid' },
};
const drivers: CopiedTable = {
  name: 'driver_orders',
  key: { order_id: 'uuid', driver_id: 'uuid' },
};
const commands: CopiedTable = { name: 'done_commands', key: { id: 'uuid' } };
const artifacts: CopiedTable = {
  name: 'artifacts',
  key: { order_id: 'uuid', sha256: 'text' },
  // a file is stored before the change of its order: it comes with the order in the next copy
  where: `exists (select from orders o where o.organization_id = r.organization_id and o.id = r.order_id)`,
};
/** Rows of an order: those in the target become those of the page, so that nothing erased comes back. */
const replaced: readonly CopiedTable[] = [
  {
    name: 'disclosures',
    key: { order_id: 'uuid', sequence: 'int', field: 'text' },
    neverChanged: true,
  },
  { name: 'entry_operators', key: { order_id: 'uuid', sequence: 'int' } },
  artifacts,
  commands,
  drivers,
];

/** Where a copy ends, and the next one begins. */
export interface OrdersMark {
  /** The next copy reads the orders that were changed at this time or later. */
  readonly changedSince: string;
  /** No later change of an order has an earlier time, and no later order is in this copy. */
  readonly moment: string;
  /** For the other tables (`takeMark`). */
  readonly transaction: string;
}

/**
 * Takes a mark: every change of an order that is not committed yet gets its `moment` or a later time,
 * as after a poll by `updated_since`. A report of custody changes the head of an order, but not the
 * time of its change: the orders with an event that is not reported are copied again, too.
 */
export const markOrders = (db: Database, organizationId: string): Promise<OrdersMark> =>
  db.transaction(async (tx) => {
    await lockOrders(tx, organizationId);
    const moment = await noChangeBefore(tx, organizationId, null);
    const [row] = await tx.query<{ at: string }>(
      `select least($2::timestamptz, min(o.updated_at))::text as at from unreported_events u
       join orders o on o.organization_id = u.organization_id and o.id = u.order_id
       where u.organization_id = $1`,
      [organizationId, moment],
    );
    return { changedSince: row!.at, moment, transaction: await takeMark(tx) };
  });

const noChangeBefore = async (
  tx: Sql,
  organizationId: string,
  at: string | null,
): Promise<string> => {
  const [row] = await tx.query<{ at: string }>(
    `insert into poll_moments as p (organization_id, at)
     values ($1, coalesce($2::timestamptz, order_clock()))
     on conflict (organization_id) do update set at = greatest(p.at, excluded.at)
     returning at::text`,
    [organizationId, at],
  );
  return row!.at;
};

/** Rows that expire are read if they are younger, in ms: each cell removes them at its own time. */
const idempotencySince = async (sql: Sql, ageMs: number): Promise<string> =>
  firstUuidv7((await nowMs(sql)) - ageMs);

/**
 * Copies what has changed since the mark of the copy before. Not copied: messages and violations,
 * which belong to the ledger of the source, and events that custody has not reported, of which there
 * are none at the last copy.
 * @param keepMs how long responses are stored.
 */
export const copyOrders = async (
  between: Between,
  organizationId: string,
  marks: { readonly since: OrdersMark | undefined; readonly until: OrdersMark },
  keepMs: number,
): Promise<void> => {
  const since = marks.since?.transaction;
  await copyTable(between, locations, { organizationId, since });
  await copyChangedOrders(between, organizationId, marks);
  const id = await idempotencySince(between.from, keepMs);
  await copyTable(between, idempotency, { organizationId, since, least: { id } });
  await copyTable(between, commands, { organizationId, since });
  await copyTable(between, artifacts, { organizationId, since });
  await copyTable(between, drivers, { organizationId, since });
  await between.into((tx) => noChangeBefore(tx, organizationId, marks.until.moment));
};

const pageOrders = 500;
/** Estimated size of a page in bytes; a larger order is a page of its own. */
const pageBytes = 4 * 1024 * 1024;

/**
 * Copies orders with all rows that belong to them, by id. Those that are older than the time of the
 * change have a span from their creation to their last change that contains it (index
 * `orders_alive_at`). A wrong code is no change of the order's time, so open orders with codes are
 * copied each time (index `orders_open`).
 */
const copyChangedOrders = async (
  { from, into, stored }: Between,
  organizationId: string,
  { since, until }: Parameters<typeof copyOrders>[2],
): Promise<void> => {
  const listed =
    'select id from orders where organization_id = $1 and id > $2 and created_at <= $3';
  const ids = since
    ? `${listed} and created_at >= $4
       union ${listed} and tstzrange(created_at, updated_at, '[]') @> $4::timestamptz
       union ${listed} and handover_codes is not null and status not in ('CLOSED', 'CANCELLED')`
    : listed;
  for (let after = leastUuid; ; ) {
    const page = await from.query<{ id: string; pickup: string; dropoff: string; bytes: number }>(
      `with listed as materialized (${ids} order by id limit ${pageOrders})
       select o.id, o.pickup_location_id as pickup, o.dropoff_location_id as dropoff,
         (3000 + 2 * pg_column_size(o.items) + 500 * o.sequence + coalesce((
           select sum(octet_length(d.value) + 300) from disclosures d
           where d.organization_id = o.organization_id and d.order_id = o.id), 0))::float8 as bytes
       from listed join orders o on o.organization_id = $1 and o.id = listed.id order by o.id`,
      [organizationId, after, until.moment, ...(since ? [since.changedSince] : [])],
    );
    let bytes = 0;
    const taken = page.filter((order, n) => {
      bytes += order.bytes;
      return n === 0 || bytes <= pageBytes;
    });
    if (taken.length === 0) return;
    const orderIds = taken.map(({ id }) => id);
    const locationIds = [...new Set(taken.flatMap(({ pickup, dropoff }) => [pickup, dropoff]))];
    const rows = await from.snapshot(async (sql) => {
      const read = new Map<CopiedTable, string>();
      read.set(locations, await rowsWith(sql, 'locations', organizationId, 'id', locationIds));
      read.set(ordersTable, await rowsWith(sql, 'orders', organizationId, 'id', orderIds));
      for (const table of [produced, ...replaced])
        read.set(table, await rowsWith(sql, table.name, organizationId, 'order_id', orderIds));
      return read;
    });
    await stored(await into((tx) => storeOrders(tx, organizationId, orderIds, rows)));
    after = orderIds.at(-1)!;
  }
};

const storeOrders = async (
  tx: Sql,
  organizationId: string,
  orderIds: readonly string[],
  rows: ReadonlyMap<CopiedTable, string>,
): Promise<number> => {
  let count = 0;
  for (const [table, text] of rows) {
    if (replaced.includes(table))
      await tx.query(
        `delete from ${table.name} where organization_id = $1 and order_id = any($2::uuid[])`,
        [organizationId, orderIds],
      );
    count += await storeRows(tx, table, text);
  }
  // violations stay in the cell of their ledger, and none is open when the organization moves
  await tx.query(
    `update orders set custody_fault = null
     where organization_id = $1 and id = any($2::uuid[]) and custody_fault is not null`,
    [organizationId, orderIds],
  );
  return count;
};

const hourMs = 3_600_000;

/**
 * The rows that source and target have alike after the last copy, as a condition for each table. Of
 * rows that expire, those that do not within an hour.
 */
export const countedOrders = async (
  sql: Sql,
  keepMs: number,
): Promise<Readonly<Record<string, string>>> => {
  const ageMs = Math.max(0, keepMs - hourMs);
  const [row] = await sql.query<{ now: string }>('select now()::text as now');
  const now = `timestamptz '${row!.now}'`;
  return {
    ...{
      orders: '',
      locations: '',
      produced_events: '',
      disclosures: '',
      entry_operators: '',
      driver_orders: '',
    },
    idempotency: `id > '${await idempotencySince(sql, ageMs)}'`,
    done_commands: `done_at > ${now} - interval '${ageMs} ms'`,
    artifacts: `expires_at > ${now} + interval '1 hour'`,
  };
};

/** Tables whose rows refer to orders, or are found without them. */
const beforeOrders = [
  'artifacts',
  'disclosures',
  'entry_operators',
  'done_commands',
  'driver_orders',
  'idempotency',
];

/**
 * Statements that delete some rows of an organization and count them, in their order. The evidence of
 * its orders stays in `moved_orders` and `produced_events`, and violations stay: the ledger of this
 * cell keeps the entries. Files of artifacts stay, since the other cell has their rows.
 * @param isPartial whether the move here was canceled: this ledger may have fewer entries than the
 *   source has reported, so the source's heads are no evidence. Those of an earlier stay are.
 */
export const ordersDeletions = (isPartial: boolean): readonly string[] => [
  ...beforeOrders.map(deletionOf),
  `with gone as (
    delete from orders where organization_id = $1 and id in (
      select id from orders where organization_id = $1 order by id limit 1000) returning *
  ), evidence as (
    insert into moved_orders
      (organization_id, order_id, status, sequence, custody_sequence, custody_head_hash)
    select organization_id, id, status, sequence,
      ${isPartial ? "0, ''" : 'custody_sequence, custody_head_hash'}
    -- the ledger has no entry of a draft
    from gone where sequence > 0
    on conflict (organization_id, order_id) do update
      set status = excluded.status, sequence = excluded.sequence
        ${isPartial ? '' : ', custody_sequence = excluded.custody_sequence, custody_head_hash = excluded.custody_head_hash'}
  ) select count(*)::int as count from gone`,
  ...['locations', 'poll_moments'].map(deletionOf),
];

/**
 * Returns a sentence about an open violation of the log or of the organization, which an operator
 * must acknowledge first; null if none is open.
 */
export const openViolation = async (sql: Sql, organizationId: string): Promise<string | null> => {
  const [open] = await sql.query<{ id: string; order_id: string | null }>(
    `select id, order_id from integrity_violations
     -- violations of the log have the nil UUID
     where organization_id in ('${leastUuid}', $1)
       and resolved_at is null and acknowledged_at is null limit 1`,
    [organizationId],
  );
  if (!open) return null;
  const [of, words] =
    open.order_id === null
      ? ['the log', `${open.id} --violation`]
      : [`order ${open.order_id}`, open.order_id];
  return `A violation of ${of} is open. Acknowledge it first: operator ledger acknowledge ${words} --reason TEXT`;
};
