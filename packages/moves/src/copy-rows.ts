import { execute, fragment, type Sql, tablesOf } from '@pto/database';
import { Failure } from '@pto/errors';

/** A table whose rows are copied from one cell to another as JSON. */
export interface CopiedTable {
  readonly name: string;
  /**
   * The columns after `organization_id` that identify a row, with their types, in the order of an
   * index. Empty: an organization has one row.
   */
  readonly key: Readonly<Record<string, 'uuid' | 'text' | 'int' | 'smallint' | 'bigint'>>;
  /** Whether a row that exists stays as it is: a trigger of the table rejects every update. */
  readonly neverChanged?: boolean;
  /** Columns that the target numbers itself, in the order of the rows. */
  readonly numbered?: readonly string[];
  /**
   * The table that a column refers to by its `id`. A row that refers to none in the target is not
   * stored: what it refers to is copied later, with its rows.
   */
  readonly parent?: { readonly name: string; readonly column: string };
  /** Greatest number of rows of a page; default 1000. */
  readonly pageRows?: number;
}

/** Greatest size of a page in bytes; a larger row is a page of its own. */
const pageBytes = 4 * 1024 * 1024;

/** A page of rows. */
export interface RowsPage {
  /** A JSON array of objects with the columns' names; PostgreSQL reads and writes all values. */
  readonly rows: string;
  readonly count: number;
  /** The key of the last row, as `after` of the next page; null: this is the last page. */
  readonly next: readonly string[] | null;
}

/**
 * Returns a mark of the database: `exportRows` since this mark reads every row whose last change was
 * not visible when the mark was taken.
 */
export const takeMark = async (sql: Sql): Promise<string> => {
  const [row] = await execute(
    sql,
    tablesOf([]).selectNoFrom(
      fragment<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as('mark'),
    ),
  );
  return row!.mark;
};

/**
 * Reads a page of an organization's rows, in the order of their keys. The statement is text because
 * the table is a parameter and each column is copied as PostgreSQL prints it in JSON.
 * @param since a mark: only rows that a transaction of that time or a later one has written. Rows
 *   that were written long before may be included. Empty: all rows.
 * @param least least values of columns of the key.
 */
export const exportRows = async (
  sql: Sql,
  { name, key, pageRows = 1000 }: CopiedTable,
  of: {
    readonly organizationId: string;
    readonly since: string;
    readonly after: readonly string[] | null;
    readonly least?: Readonly<Record<string, string>>;
  },
): Promise<RowsPage> => {
  const columns = Object.keys(key);
  const keys = columns.join(', ');
  const values = Object.values(key).map((type, n) => `$${n + 3}::text::${type}`);
  const least = Object.entries(of.least ?? {});
  const first = 3 + (of.after?.length ?? 0);
  const parts = [
    `organization_id = $1::uuid`,
    // xmin has 32 bits: both sides count the transactions since then
    `($2::text = '' or age(t.xmin) <= pg_snapshot_xmax(pg_current_snapshot())::text::numeric
      - nullif($2::text, '')::numeric + 1000)`,
    ...(of.after === null ? [] : [`(${keys}) > (${values.join(', ')})`]),
    ...least.map(([column], n) => `${column} >= $${first + n}::text::${key[column]}`),
  ];
  const order = columns.length === 0 ? '' : `order by ${keys}`;
  const [page] = await sql.query<{
    rows: string;
    last: string[] | null;
    count: number;
    full: boolean;
  }>(
    `with found as (
      select row_to_json(t)::text as row, ${columns.length === 0 ? `'{}'::text[]` : `array[${columns.map((column) => `${column}::text`).join(', ')}]`} as key,
        row_number() over (${order}) as n
      from ${name} t where ${parts.join(' and ')} ${order} limit ${pageRows}
    ), sized as (
      select row, key, n, sum(octet_length(row)) over (order by n) as bytes from found
    ), page as (
      select row, key, n from sized where n = 1 or bytes <= ${pageBytes}
    )
    select '[' || coalesce(string_agg(row, ',' order by n), '') || ']' as rows,
      count(*)::int as count, (array_agg(to_json(key) order by n desc))[1] as last,
      count(*) < (select count(*) from found) or count(*) = ${pageRows} as full
    from page`,
    [of.organizationId, of.since, ...(of.after ?? []), ...least.map(([, value]) => value)],
  );
  const { rows, count, last, full } = page!;
  return { rows, count, next: full && columns.length > 0 ? last : null };
};

/**
 * Reads the rows of an organization that have one of these ids in a column, as a JSON array of
 * objects as `exportRows` reads them.
 */
export const rowsWith = async (
  sql: Sql,
  name: string,
  of: {
    readonly organizationId: string;
    readonly column: string;
    readonly ids: readonly string[];
  },
): Promise<string> => {
  const [row] = await sql.query<{ rows: string }>(
    `select '[' || coalesce(string_agg(row_to_json(t)::text, ','), '') || ']' as rows
     from ${name} t where organization_id = $1 and ${of.column} = any($2::uuid[])`,
    [of.organizationId, of.ids],
  );
  return row!.rows;
};

/**
 * Stores rows of `exportRows` in the same table of another cell. A row that exists becomes the given
 * one, or stays if rows of the table are never changed.
 * @returns the number of rows.
 * @throws Failure VALIDATION for a row of another organization: the caller's transaction must end.
 */
export const importRows = async (
  sql: Sql,
  { name, key, numbered = [], neverChanged = false, parent }: CopiedTable,
  organizationId: string,
  rows: string,
): Promise<number> => {
  const columns = (await columnsOf(sql, name)).filter((column) => !numbered.includes(column));
  const keys = ['organization_id', ...Object.keys(key)];
  const changed = columns.filter((column) => !keys.includes(column));
  const list = columns.map((column) => `"${column}"`).join(', ');
  const sets = changed.map((column) => `"${column}" = excluded."${column}"`);
  const hasParent = parent
    ? `where exists (select from ${parent.name} p
        where p.organization_id = r.organization_id and p.id = r.${parent.column})`
    : '';
  const [stored] = await sql.query<{ count: number; foreign: number }>(
    `with stored as (
      insert into ${name} (${list})
      select ${list} from json_populate_recordset(null::${name}, $1::json) with ordinality r
      ${hasParent}
      order by ordinality
      on conflict (${keys.join(', ')})
        do ${neverChanged || sets.length === 0 ? 'nothing' : `update set ${sets.join(', ')}`}
      returning 1
    ) select count(*)::int as count, count(*) filter (
        where (r ->> 'organization_id')::uuid is distinct from $2::uuid)::int as foreign
      from json_array_elements($1::json) as j (r)`,
    [rows, organizationId],
  );
  if (stored!.foreign > 0)
    throw new Failure('VALIDATION', `rows has rows of ${name} of another organization.`);
  return stored!.count;
};

const columnsOf = async (sql: Sql, table: string): Promise<string[]> => {
  const rows = await sql.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
};

/** Counts an organization's rows of each table. */
export const countRows = async (
  sql: Sql,
  names: readonly string[],
  organizationId: string,
): Promise<Record<string, bigint>> => {
  const counts = names.map(
    (name) => `(select count(*) from ${name} where organization_id = $1) as "${name}"`,
  );
  const [row] = await sql.query<Record<string, string>>(`select ${counts.join(', ')}`, [
    organizationId,
  ]);
  return Object.fromEntries(Object.entries(row!).map(([name, count]) => [name, BigInt(count)]));
};

/** Whether a table has a row of the organization. */
export const hasRows = async (
  sql: Sql,
  names: readonly string[],
  organizationId: string,
): Promise<boolean> => {
  const finds = names.map((name) => `exists (select from ${name} where organization_id = $1)`);
  const [row] = await sql.query<{ has: boolean }>(`select ${finds.join(' or ')} as has`, [
    organizationId,
  ]);
  return row!.has;
};

/**
 * Deletes up to 5000 of an organization's rows of each table. @returns whether rows are left.
 */
export const deleteRows = async (
  sql: Sql,
  names: readonly string[],
  organizationId: string,
): Promise<boolean> => {
  for (const name of names) {
    const [row] = await sql.query<{ count: number }>(
      `with gone as (
        delete from ${name} where organization_id = $1 and (tableoid, ctid) in (
          select tableoid, ctid from ${name} where organization_id = $1 limit ${deletedRows})
        returning 1
      ) select count(*)::int as count from gone`,
      [organizationId],
    );
    if (row!.count > 0) return true;
  }
  return false;
};

const deletedRows = 5000;
