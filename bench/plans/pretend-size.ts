/**
 * Makes PostgreSQL plan as if its tables had grown. The planner takes the size of a table from its
 * file and the rows from the statistics, so the files become sparse, which takes no disk
 * space, and the statistics are multiplied. Nothing may read or write these tables any more.
 */
import { chmodSync, chownSync, existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';

const pageBytes = 8192;
const segmentPages = 131_072;

export interface Size {
  readonly orders: number;
  readonly organizations: number;
}

interface Relation {
  readonly name: string;
  /** Its own name, or that of the table of an index. */
  readonly table: string;
  /** Of the relation, or of the table of an index. */
  readonly rows: number;
  readonly tuples: number;
  readonly pages: number;
  readonly path: string;
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly inherited: boolean;
  readonly absent: number;
  readonly width: number;
  /** Number of rows of the analyzed table, and of different values in them. */
  readonly rows: number;
  readonly distinct: number;
  readonly isUuid: boolean;
  /** The histogram of a column of positions, which are numbered; null for any other column. */
  readonly positions: readonly number[] | null;
}

/**
 * Tables whose size depends neither on the orders nor on the organizations: positions, queues, topics,
 * and organizations that were moved.
 */
const constant = [
  'consumer_positions',
  'held_organizations',
  'ledger_audits',
  'log_keys',
  'log_queue',
  'log_state',
  'log_witnesses',
  'pending_deliveries',
  'topic_partitions',
  'unreported_events',
];

/** Columns of text whose values become more with the orders, in values for each row. */
const manyValues = new Map([['order_index_tiles.prefix', 0.5]]);

/** The state of a database that was analyzed, and how to multiply it. */
export interface Analyzed {
  pretend(size: Size): Promise<void>;
}

const relations = `
  select c.relname as name, coalesce(t.relname, c.relname) as table,
         coalesce(t.reltuples, c.reltuples)::float8 as rows, c.reltuples::float8 as tuples,
         (pg_relation_size(c.oid) / ${pageBytes})::float8 as pages,
         pg_relation_filepath(c.oid) as path
    from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    left join pg_class t on t.oid = i.indrelid
   where c.relnamespace = 'public'::regnamespace
     and c.relkind in ('r', 'i') and pg_relation_size(c.oid) > 0`;

const columns = `
  select greatest(c.reltuples, 1)::float8 as rows, s.tablename as table,
         s.attname as column, s.inherited, s.null_frac::float8 as absent,
         s.avg_width as width, a.atttypid = 'uuid'::regtype as "isUuid",
         case when a.atttypid = 'bigint'::regtype and s.n_distinct = -1
              then s.histogram_bounds::text::float8[] end as positions,
         case when s.n_distinct >= 0 then s.n_distinct
              else -s.n_distinct * greatest(c.reltuples, 0) end::float8 as distinct
    from pg_stats s
    join pg_class c on c.oid = format('%I.%I', s.schemaname, s.tablename)::regclass
    join pg_attribute a on a.attrelid = c.oid and a.attname = s.attname
   where s.schemaname = 'public' and c.relkind in ('r', 'p')`;

/**
 * Analyzes a database whose organizations have some orders each. The caller may write the files of
 * the server. @param base what the database contains.
 */
export const analyze = async (client: Client, base: Size): Promise<Analyzed> => {
  await client.query('vacuum analyze');
  const { data_directory: folder } = (await client.query('show data_directory')).rows[0];
  const tables = (await client.query<Relation>(relations)).rows;
  const all = (await client.query<Column>(columns)).rows;
  return {
    pretend: async (size) => {
      const organizations = size.organizations / base.organizations;
      const orders = size.orders / base.orders;
      for (const { name, table, path, ...now } of tables) {
        if (constant.includes(table)) continue;
        // a table with fewer rows than half the orders has those of organizations
        const factor = now.rows < base.orders / 2 ? organizations : orders;
        const pages = Math.ceil(now.pages * factor);
        extend(join(folder, path), pages);
        await client.query(
          `select pg_restore_relation_stats('schemaname', 'public'::text, 'relname', $1::text,
             'relpages', $2::int, 'reltuples', $3::real)`,
          [name, pages, now.tuples * factor],
        );
      }
      for (const column of all)
        await pretendColumn(client, column, { organizations, orders, ordersBefore: base.orders });
    },
  };
};

interface Factors {
  readonly organizations: number;
  readonly orders: number;
  /** Number of orders in the analyzed tables. */
  readonly ordersBefore: number;
}

/** Replaces the statistics of a column whose values become more. */
const pretendColumn = async (
  client: Client,
  { table, column, inherited, absent, width, rows, distinct, isUuid, positions }: Column,
  { organizations, orders, ordersBefore }: Factors,
): Promise<void> => {
  const many = manyValues.get(`${table}.${column}`);
  if (!isUuid && !positions && many === undefined) return;
  // the organization of a value decides how often it occurs, not its share among few values
  const values =
    isUuid && distinct < ordersBefore / 2
      ? Math.max(1, distinct) * organizations
      : -(many ?? Math.min(1, distinct / rows));
  const bounds = positions && `{${positions.map((at) => Math.round(at * orders)).join()}}`;
  await client.query("select pg_clear_attribute_stats('public', $1, $2, $3)", [
    table,
    column,
    inherited,
  ]);
  await client.query(
    `select pg_restore_attribute_stats('schemaname', 'public'::text, 'relname', $1::text,
       'attname', $2::text, 'inherited', $3::boolean, 'null_frac', $4::real, 'avg_width', $5::int,
       'n_distinct', $6::real${bounds ? ", 'histogram_bounds', $7::text" : ''})`,
    [table, column, inherited, absent, width, values, ...(bounds ? [bounds] : [])],
  );
};

/** Extends a relation's files to so many pages, which are sparse. */
const extend = (path: string, pages: number): void => {
  const { uid, gid, mode } = statSync(path);
  for (let n = 0; n * segmentPages < pages; n++) {
    const segment = n === 0 ? path : `${path}.${n}`;
    if (!existsSync(segment)) {
      writeFileSync(segment, '');
      chownSync(segment, uid, gid);
      chmodSync(segment, mode);
    }
    const bytes = Math.min(pages - n * segmentPages, segmentPages) * pageBytes;
    if (statSync(segment).size < bytes) truncateSync(segment, bytes);
  }
};
