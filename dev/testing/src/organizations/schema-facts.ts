import type { ClientBase } from 'pg';

/** A table, a primary key or unique index, or a foreign key of a migrated database. */
export interface SchemaFacts {
  /** By name: whether the table has the column `organization_id`, and whether it may be null. */
  readonly tables: ReadonlyMap<string, 'absent' | 'nullable' | 'not null'>;
  readonly keys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
}

export interface UniqueKey {
  readonly table: string;
  readonly name: string;
  /** In the order of the index; null for an expression. */
  readonly columns: readonly (string | null)[];
}

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly references: string;
  /** The referenced columns, in the order of `columns`. */
  readonly referenced: readonly string[];
}

/**
 * Reads the tables of the schema `public` from PostgreSQL's catalog. A partitioned table counts as
 * one table; its partitions are omitted.
 */
export const schemaFacts = async (client: ClientBase): Promise<SchemaFacts> => {
  const tables = await client.query<{ name: string; state: 'absent' | 'nullable' | 'not null' }>(
    `${own} select t.name, case
         when a.attnum is null then 'absent' when a.attnotnull then 'not null' else 'nullable'
       end as state
     from t left join pg_attribute a
       on a.attrelid = t.oid and a.attname = 'organization_id' and not a.attisdropped
     order by t.name`,
  );
  const keys = await client.query<UniqueKey>(
    `${own} select t.name as table, x.relname as name, (
         select array_agg(a.attname::text order by k.n)
         from unnest((i.indkey::int2[])[0:i.indnkeyatts - 1]) with ordinality as k (attnum, n)
         left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum) as columns
     from t join pg_index i on i.indrelid = t.oid and i.indisunique
     join pg_class x on x.oid = i.indexrelid
     order by t.name, x.relname`,
  );
  const foreignKeys = await client.query<ForeignKey>(
    `${own} select t.name as table, c.conname as name, r.relname as references,
       ${columnsOf('c.conrelid', 'c.conkey')} as columns,
       ${columnsOf('c.confrelid', 'c.confkey')} as referenced
     from t join pg_constraint c on c.conrelid = t.oid and c.contype = 'f'
     join pg_class r on r.oid = c.confrelid
     order by t.name, c.conname`,
  );
  return {
    tables: new Map(tables.rows.map(({ name, state }) => [name, state])),
    keys: keys.rows,
    foreignKeys: foreignKeys.rows,
  };
};

const own = `with t as (
    select c.oid, c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
  )`;

const columnsOf = (table: string, attnums: string): string => `(
    select array_agg(a.attname::text order by k.n)
    from unnest(${attnums}) with ordinality as k (attnum, n)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.attnum)`;
