import { type AliasedExpression, type Compilable, type Expression, sql } from 'kysely';
import type { Sql } from '../database.ts';
import { type ArrayOf, byteaArray, textArray, uuidArray } from '../values/binary-array.ts';
import { type Given, type RowOf, statement } from './statement.ts';

/**
 * The types of a column of `unnest`: of an element of the array that is written, and of the value
 * that is read.
 */
export interface Elements {
  uuid: { written: string | null; read: string };
  text: { written: string | null; read: string };
  smallint: { written: number | null; read: number };
  int: { written: number | null; read: number };
  bigint: { written: string | number | null; read: string };
  float8: { written: number | null; read: number };
  bool: { written: boolean; read: boolean };
  bytea: { written: Uint8Array; read: Buffer };
  timestamptz: { written: string | Date | null; read: string };
}

/** The columns of the rows that `unnest` makes, with their types in PostgreSQL. */
export type Columns = Readonly<Record<string, keyof Elements>>;

/**
 * The parameters of a statement over rows: an array for each column. All arrays have the same
 * length.
 */
type Arrays<Types extends Columns> = {
  readonly [Name in keyof Types]: Expression<ArrayOf<Elements[Types[Name]]['written']>>;
};

/** A row that `unnest` makes, as it is read; `n` is its number. */
export type UnnestedRow<Types extends Columns> = {
  [Name in keyof Types]: Elements[Types[Name]]['read'];
} & { n: string };

/**
 * Returns the rows that parallel arrays make, as a table for `from` or `join`: `unnest($1::uuid[],
 * $2::int[]) with ordinality as alias (order_id, sequence, n)`, each array in a `select`. The column
 * `n` numbers the rows from 1 on. The types of the columns exclude null, but a null in an array is a
 * null in its row.
 */
export const unnest = <const Alias extends string, const Types extends Columns>(
  alias: Alias,
  arrays: NoInfer<Arrays<Types>>,
  types: Types,
): AliasedExpression<UnnestedRow<Types>, Alias> => {
  const entries = Object.entries(types);
  const columns = [...entries.map(([name]) => name), 'n'].map((name) => sql.id(name));
  const each = entries.map(([name, type]) => unseen(arrays[name]!, type));
  return sql<UnnestedRow<Types>>`unnest(${sql.join(each)}) with ordinality`.as<Alias>(
    sql`${sql.id(alias)} (${sql.join(columns)})`,
  );
};

/**
 * An array whose length the planner does not see. If it saw it, PostgreSQL would plan the statement
 * again at each run, since the plan for a short array costs less than the general one; the planning
 * took longer than the insert of an order.
 */
const unseen = (array: Expression<unknown>, type: keyof Elements) =>
  sql`(select ${array}::${sql.raw(type)}[])`;

/**
 * Returns the right side of `column = any (array)`.
 * @param type the type of an element: then the statement is planned once. Not for a key of
 *   partitions, which PostgreSQL skips by the elements.
 */
export const anyOf = <Element>(
  array: Expression<ArrayOf<Element>>,
  type?: 'uuid' | 'text',
): Expression<Element> =>
  type ? sql`any (${unseen(array, type)}::${sql.raw(type)}[])` : sql`any (${array})`;

/** A row that is sent, with a member for each column. */
export type SentRow<Types extends Columns> = {
  readonly [Name in keyof Types]: Elements[Types[Name]]['written'];
};

/** Makes the sent rows a table with this alias (`unnest`). */
export type SentRows<Types extends Columns> = <const Alias extends string>(
  alias: Alias,
) => AliasedExpression<UnnestedRow<Types>, Alias>;

/**
 * Returns a function that runs one statement over rows, which are sent as an array for each column.
 * The statement is built once (statement.ts).
 * @param types the columns of the rows, with their types in PostgreSQL.
 * @param build builds the statement from the rows, as a table, and from further parameters.
 */
export const overRows = <const Types extends Columns, Result, Parameters extends object = object>(
  types: Types,
  build: (rows: SentRows<Types>, given: Given<Parameters>) => Compilable<Result>,
): ((
  sql: Sql,
  rows: readonly SentRow<Types>[],
  ...parameters: keyof Parameters extends never ? [] : [parameters: Parameters]
) => Promise<RowOf<Result>[]>) => {
  const run = statement((given: Given<Record<string, unknown>>) => {
    const arrays = Object.keys(types).map((name) => [name, given[arrayName(name)]]);
    const rows: SentRows<Types> = (alias) =>
      unnest(alias, Object.fromEntries(arrays), types as Types);
    return build(rows, given as unknown as Given<Parameters>);
  });
  return (sql, rows, ...[parameters]) => run(sql, { ...parameters, ...arraysOf(types, rows) });
};

/** The parameter of a column's array: a name that no other parameter has. */
const arrayName = (column: string): string => `rows.${column}`;

const arraysOf = <Types extends Columns>(types: Types, rows: readonly SentRow<Types>[]) =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      arrayName(name),
      encoded(type, rows.map((row) => row[name]) as never),
    ]),
  );

/** Encodes an array in PostgreSQL's binary format, if that exists for its type. */
const encoded = (type: keyof Elements, values: readonly never[]): ArrayOf<unknown> => {
  if (type === 'text') return textArray(values);
  if (values.includes(null as never)) return values;
  if (type === 'uuid') return uuidArray(values);
  return type === 'bytea' ? byteaArray(values) : values;
};
