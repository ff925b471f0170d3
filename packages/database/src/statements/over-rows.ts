import type { AliasedExpression, Compilable } from 'kysely';
import type { Sql } from '../database.ts';
import {
  type ArrayOf,
  byteaArray,
  doubleArray,
  intArray,
  textArray,
  uuidArray,
} from '../values/binary-array.ts';
import type { RowOf } from './execute.ts';
import { type Given, statement } from './statement.ts';
import { type Columns, type Elements, type UnnestedRow, unnestNumbered } from './unnest.ts';

/** A row that is sent, with a member for each column. */
export type SentRow<Types extends Columns> = {
  readonly [Name in keyof Types]: Elements[Types[Name]]['written'];
};

/** Makes the sent rows a table with this alias; its column `n` numbers the rows from 1 on. */
export type SentRows<Types extends Columns> = <const Alias extends string>(
  alias: Alias,
) => AliasedExpression<UnnestedRow<Types> & { n: string }, Alias>;

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
      unnestNumbered(alias, Object.fromEntries(arrays), types as Types);
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
  if (type === 'float8') return doubleArray(values);
  if (values.includes(null as never)) return values;
  if (type === 'uuid') return uuidArray(values);
  if (type === 'int') return intArray(values);
  return type === 'bytea' ? byteaArray(values) : values;
};
