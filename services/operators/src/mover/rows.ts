/** Reads and writes rows of any table. SQL is text: the entities of other services are not imported. */
import type { Database, Sql } from '@pto/database';
import type { InHold } from '@pto/moves';

/** A table whose rows are copied from one cell to another as JSON. */
export interface CopiedTable {
  readonly name: string;
  /** The columns after `organization_id` by which rows are read in order, with their types. */
  readonly key: Readonly<Record<string, string>>;
  /** The columns after `organization_id` that identify a row, if not `key`. */
  readonly identity?: readonly string[];
  /** Whether a row that exists stays as it is: a trigger of the table rejects every update. */
  readonly neverChanged?: boolean;
  /** Columns that the target numbers itself, in the order of the rows. */
  readonly numbered?: readonly string[];
  /** A row is stored only where this condition holds, on the row `r`. */
  readonly where?: string;
  /** Greatest number of rows of a page; default 1000. */
  readonly pageRows?: number;
  /** What is read instead of the table, with the alias `t`. */
  readonly from?: string;
}

/** Greatest size of a page in bytes; a larger row is a page of its own. */
const pageBytes = 4 * 1024 * 1024;

/** A page of rows. */
export interface RowsPage {
  /** A JSON array of objects with the columns' names; PostgreSQL reads and writes all values. */
  readonly rows: string;
  readonly count: number;
  /** The key of the last row; null: no page follows. */
  readonly next: readonly string[] | null;
}

/**
 * Returns a mark of the database: `readPage` since this mark reads every row whose last change was
 * not visible when the mark was taken.
 */
export const takeMark = async (sql: Sql): Promise<string> => {
  const [row] = await sql.query<{ mark: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as mark',
  );
  return row!.mark;
};

/** Returns the time of the database, in ms since the epoch. */
export const nowMs = async (sql: Sql): Promise<number> => {
  const [row] = await sql.query<{ now: number }>(
    'select (extract(epoch from now()) * 1000)::float8 as now',
  );
  return row!.now;
};

/** Which rows of an organization a page has. */
export interface Range {
  readonly organizationId: string;
  /**
   * A mark: only rows that a transaction of that time or a later one has written. Rows that were
   * written long before may be included. Absent: all rows.
   */
  readonly since?: string | undefined;
  /** Least values of columns of the key. */
  readonly least?: Readonly<Record<string, string>>;
  /** The key of the last row of the page before; null: the first page. */
  readonly after: readonly string[] | null;
}

/** Reads a page of an organization's rows, in the order of their keys. */
export const readPage = async (
  sql: Sql,
  { name, key, from = name, pageRows = 1000 }: CopiedTable,
  { organizationId, since, least = {}, after }: Range,
): Promise<RowsPage> => {
  const values: unknown[] = [organizationId];
  const given = (value: string, type: string) => `$${values.push(value)}::text::${type}`;
  const columns = Object.keys(key);
  const conditions = ['organization_id = $1::uuid'];
  // xmin has 32 bits: both sides count the transactions since then
  if (since !== undefined)
    conditions.push(`age(t.xmin) <= pg_snapshot_xmax(pg_current_snapshot())::text::numeric
      - ${given(since, 'numeric')} + 1000`);
  if (after !== null) {
    const last = columns.map((column, n) => given(after[n]!, key[column]!));
    conditions.push(`(${columns}) > (${last})`);
  }
  for (const [column, value] of Object.entries(least))
    conditions.push(`${column} >= ${given(value, key[column]!)}`);
  const [page] = await sql.query<{ rows: string; count: number; last: string[]; full: boolean }>(
    `with found as (
      select row_to_json(t)::text as row, array[${columns.map((column) => `${column}::text`)}] as key,
        row_number() over (order by ${columns}) as n
      from ${from} t where ${conditions.join(' and ')} order by ${columns} limit ${pageRows}
    ), sized as (
      select row, key, n, sum(octet_length(row)) over (order by n) as bytes from found
    ), page as (
      select row, key, n from sized where n = 1 or bytes <= ${pageBytes}
    )
    select '[' || coalesce(string_agg(row, ',' order by n), '') || ']' as rows,
      count(*)::int as count, (array_agg(to_json(key) order by n desc))[1] as last,
      count(*) < (select count(*) from found) or count(*) = ${pageRows} as full
    from page`,
    values,
  );
  const { rows, count, last, full } = page!;
  return { rows, count, next: full ? last : null };
};

/** Reads the rows of an organization that have one of these ids in a column, as `readPage` does. */
export const rowsWith = async (
  sql: Sql,
  name: string,
  organizationId: string,
  column: string,
  ids: readonly string[],
): Promise<string> => {
  const [row] = await sql.query<{ rows: string }>(
    `select '[' || coalesce(string_agg(row_to_json(t)::text, ','), '') || ']' as rows
     from ${name} t where organization_id = $1 and ${column} = any($2::uuid[])`,
    [organizationId, ids],
  );
  return row!.rows;
};

/**
 * Stores rows of `readPage` in the same table of another cell. A row that exists becomes the given
 * one, or stays if rows of the table are never changed.
 * @returns the number of stored rows.
 */
export const storeRows = async (sql: Sql, table: CopiedTable, rows: string): Promise<number> => {
  const { name, key, identity = Object.keys(key), numbered = [], neverChanged, where } = table;
  const columns = (await columnsOf(sql, name)).filter((column) => !numbered.includes(column));
  const keys = ['organization_id', ...identity];
  const sets = columns
    .filter((column) => !keys.includes(column))
    .map((column) => `"${column}" = excluded."${column}"`);
  const list = columns.map((column) => `"${column}"`).join(', ');
  const [stored] = await sql.query<{ count: number }>(
    `with stored as (
      insert into ${name} (${list})
      select ${list} from json_populate_recordset(null::${name}, $1::json) with ordinality r
      ${where ? `where ${where}` : ''}
      order by ordinality
      on conflict (${keys}) do ${neverChanged || sets.length === 0 ? 'nothing' : `update set ${sets}`}
      returning 1
    ) select count(*)::int as count from stored`,
    [rows],
  );
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

/** Counts an organization's rows by conditions of one statement each, in one snapshot. */
export const countRows = async (
  sql: Sql,
  organizationId: string,
  conditions: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, number>> => {
  const counts = Object.entries(conditions).map(
    ([table, condition]) =>
      `(select count(*)::float8 from ${table} where organization_id = $1 ${condition && `and ${condition}`}) as "${table}"`,
  );
  const [row] = await sql.query<Record<string, number>>(`select ${counts.join(', ')}`, [
    organizationId,
  ]);
  return new Map(Object.entries(row!));
};

const deletedRows = 5000;

/** Returns a statement that deletes some of an organization's ($1) rows of a table, and counts them. */
export const deletionOf = (table: string): string =>
  `with gone as (
    delete from ${table} where organization_id = $1 and (tableoid, ctid) in (
      select tableoid, ctid from ${table} where organization_id = $1 limit ${deletedRows})
    returning 1
  ) select count(*)::int as count from gone`;

/** The source and the target of a copy in one database. */
export interface Between {
  readonly from: Database;
  /** Runs the work of a page in the target. */
  readonly into: InHold;
  /** Called after each page with its number of rows. */
  readonly stored: (rows: number) => Promise<void>;
}

/**
 * Copies the rows of a table page by page.
 * @param before runs in the transaction of the first page.
 */
export const copyTable = async (
  { from, into, stored }: Between,
  table: CopiedTable,
  range: Omit<Range, 'after'>,
  before: (tx: Sql) => Promise<unknown> = async () => {},
): Promise<void> => {
  for (let after: Range['after'] = null; ; ) {
    const isFirst = after === null;
    const page: RowsPage = await readPage(from, table, { ...range, after });
    const count = await into(async (tx) => {
      if (isFirst) await before(tx);
      return storeRows(tx, table, page.rows);
    });
    await stored(count);
    if (page.next === null) return;
    after = page.next;
  }
};
