import type { Client } from 'pg';

export interface Column {
  readonly name: string;
  /** The type's name in PostgreSQL: `timestamp with time zone`. */
  readonly type: string;
  readonly nullable: boolean;
  /**
   * The default expression; `numbered` for an identity column or a default from a sequence; null
   * for a column without a default.
   */
  readonly default: string | null;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** Definitions of the indexes by name, without the primary key's. */
  readonly indexes: ReadonlyMap<string, string>;
}

/**
 * Reads the tables of one schema from PostgreSQL's catalog. Partitions, views and the list of
 * migrations are omitted; a partitioned table counts as one table.
 */
export const readTables = async (
  client: Client,
  schema: string,
): Promise<ReadonlyMap<string, Table>> => {
  const rows = async <Row>(text: string) => (await client.query(text, [schema])).rows as Row[];
  const tables = await rows<{ name: string }>(`select name from (${tablesSql}) as t order by name`);
  const columns = await rows<Column & { table: string }>(columnsSql);
  const keys = await rows<{ table: string; columns: string[] }>(keysSql);
  const indexes = await rows<{ table: string; name: string; definition: string }>(indexesSql);
  return new Map(
    tables.map(({ name }) => [
      name,
      {
        columns: columns.filter(({ table }) => table === name),
        primaryKey: keys.find(({ table }) => table === name)?.columns ?? [],
        indexes: new Map(
          indexes.flatMap((index) =>
            index.table === name ? [[index.name, comparable(index.definition, schema)]] : [],
          ),
        ),
      },
    ]),
  );
};

/**
 * Returns an index definition without the schema's name, and without the word `ONLY`, which
 * PostgreSQL writes for an index of a partitioned table.
 */
const comparable = (definition: string, schema: string): string =>
  definition.replace(` ON ONLY ${schema}.`, ' ON ').replace(` ON ${schema}.`, ' ON ');

const tablesSql = `select c.oid, c.relname as name from pg_class c
  where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'migrations'`;

const columnsSql = `select t.name as table, a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
    case when a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%' then 'numbered'
      else pg_get_expr(d.adbin, d.adrelid) end as default
  from (${tablesSql}) as t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  order by t.name, a.attnum`;

const keysSql = `select t.name as table, array(
    select a.attname::text from unnest(i.indkey::int2[]) with ordinality as k (attnum, n)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum order by k.n) as columns
  from (${tablesSql}) as t join pg_index i on i.indrelid = t.oid and i.indisprimary`;

const indexesSql = `select t.name as table, c.relname as name,
    pg_get_indexdef(i.indexrelid) as definition
  from (${tablesSql}) as t join pg_index i on i.indrelid = t.oid and not i.indisprimary
  join pg_class c on c.oid = i.indexrelid order by t.name, c.relname`;
