/**
 * Makes PostgreSQL plan as if its tables had grown. The planner takes the pages of a table from its
 * file and the rows of a page from the statistics, which are multiplied: the cost of a plan grows by
 * the rows that it reads, and not by pages.
 */
import type { Client } from 'pg';

export interface Size {
  readonly orders: number;
  readonly organizations: number;
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

/**
 * Multiplies the statistics of an analyzed database.
 * @param from what they state now.
 */
export const pretend = async (client: Client, from: Size, to: Size): Promise<void> => {
  const [organizations, orders] = [to.organizations / from.organizations, to.orders / from.orders];
  // what there is of fewer than half the orders is of organizations
  const few = from.orders / 2;
  await client.query(multiplyColumns, [few, organizations, orders]);
  await client.query(multiplyTables, [few, organizations, orders, constant]);
};

/** The rows of tables and indexes; an index grows with its table. */
const multiplyTables = `
  with found as materialized (
    select c.relname::text as name, c.reltuples,
           case when coalesce(t.reltuples, c.reltuples) < $1 then $2::float8 else $3 end as factor
      from pg_class c
      left join pg_index i on i.indexrelid = c.oid
      left join pg_class t on t.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'i')
       and c.reltuples > 0 and coalesce(t.relname, c.relname) <> all($4::text[]))
  select pg_restore_relation_stats('schemaname', 'public'::text, 'relname', name,
    'reltuples', (reltuples * factor)::real) from found`;

/**
 * The different values of columns with UUIDs, the histograms of columns with positions, which are
 * numbered, and the one column of text whose values become more with the orders.
 */
const multiplyColumns = `
  with columns as materialized (
    select s.*, a.atttypid = 'uuid'::regtype as is_uuid,
           a.atttypid = 'bigint'::regtype and s.n_distinct = -1 as is_position,
           s.tablename = 'order_index_tiles' and s.attname = 'prefix' as is_prefix,
           case when s.n_distinct >= 0 then s.n_distinct / greatest(c.reltuples, 1)
                else -s.n_distinct end as share,
           case when s.n_distinct >= 0 then s.n_distinct
                else -s.n_distinct * greatest(c.reltuples, 0) end as number
      from pg_stats s
      join pg_class c on c.oid = format('%I.%I', s.schemaname, s.tablename)::regclass
      join pg_attribute a on a.attrelid = c.oid and a.attname = s.attname
     where s.schemaname = 'public' and c.relkind in ('r', 'p')),
  found as materialized (
    select tablename::text as name, attname::text as column, inherited, null_frac, avg_width,
           case when is_prefix then -0.5
                when is_uuid and number < $1 then greatest(number, 1) * $2::float8
                else -least(share, 1) end::real as number,
           case when is_position then (
             select array_agg(round(at * $3::float8)::bigint order by n)::text
               from unnest(histogram_bounds::text::float8[]) with ordinality b (at, n)) end as bounds
      from columns where is_uuid or is_position or is_prefix)
  select pg_clear_attribute_stats('public', name, "column", inherited),
         pg_restore_attribute_stats('schemaname', 'public'::text, 'relname', name,
           'attname', "column", 'inherited', inherited, 'null_frac', null_frac,
           'avg_width', avg_width, 'n_distinct', number, 'histogram_bounds', bounds)
    from found`;
