import { type AliasedExpression, type Expression, sql } from 'kysely';
import type { ArrayOf } from '../values/binary-array.ts';

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

/** A row that `unnest` makes, as it is read. */
export type UnnestedRow<Types extends Columns> = {
  [Name in keyof Types]: Elements[Types[Name]]['read'];
};

/**
 * Returns the rows that parallel arrays make, as a table for `from` or `join`: `unnest($1::uuid[],
 * $2::int[]) as alias (order_id, sequence)`, each array in a `select`. The types of the columns exclude null, but a null in
 * an array is a null in its row.
 */
export const unnest = <const Alias extends string, const Types extends Columns>(
  alias: Alias,
  arrays: NoInfer<Arrays<Types>>,
  types: Types,
): AliasedExpression<UnnestedRow<Types>, Alias> =>
  sql<UnnestedRow<Types>>`unnest(${arraysOf(arrays, types)})`.as<Alias>(
    header(alias, Object.keys(types)),
  );

/** Like {@link unnest}, with the number of each row from 1 on as the column `n`. */
export const unnestNumbered = <const Alias extends string, const Types extends Columns>(
  alias: Alias,
  arrays: NoInfer<Arrays<Types>>,
  types: Types,
): AliasedExpression<UnnestedRow<Types> & { n: string }, Alias> =>
  sql<
    UnnestedRow<Types> & { n: string }
  >`unnest(${arraysOf(arrays, types)}) with ordinality`.as<Alias>(
    header(alias, [...Object.keys(types), 'n']),
  );

/**
 * An array whose length the planner does not see. If it saw it, PostgreSQL would plan the statement
 * again at each run, since the plan for a short array costs less than the general one; the planning
 * took longer than the insert of an order.
 */
const unseen = (array: Expression<unknown>, type: keyof Elements) =>
  sql`(select ${array}::${sql.raw(type)}[])`;

const arraysOf = <Types extends Columns>(arrays: Arrays<Types>, types: Types) =>
  sql.join(Object.entries(types).map(([name, type]) => unseen(arrays[name]!, type)));

const header = (alias: string, columns: readonly string[]) =>
  sql`${sql.id(alias)} (${sql.join(columns.map((column) => sql.id(column)))})`;

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
