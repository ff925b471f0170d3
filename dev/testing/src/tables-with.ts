import type { ClientBase } from 'pg';

/**
 * Returns the names, in their order, of the tables with a row that contains the text, also as UTF-8 in a `bytea`.
 * Partitions are named by their own names.
 * @param client of a role that may read every table of its database.
 */
export const tablesWith = async (client: ClientBase, text: string): Promise<string[]> => {
  const found: string[] = [];
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
     order by 1`,
  );
  for (const { name } of tables) {
    const { rows } = await client.query(
      `select 1 from ${name} t where position($1::text in t::text) > 0
         or position(encode(convert_to($1::text, 'UTF8'), 'hex') in t::text) > 0 limit 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
};
