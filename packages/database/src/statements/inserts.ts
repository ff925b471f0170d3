import {
  type Compilable,
  type ExpressionBuilder,
  expressionBuilder,
  type Insertable,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryCreator,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { Sql } from '../database.ts';
import { type Columns, overRows } from './over-rows.ts';
import type { RowOf } from './statement.ts';
import { declaredType } from './tables.ts';

type Insert<Tables, Table extends keyof Tables & string> = InsertQueryBuilder<
  Tables,
  Table,
  InsertResult
>;

/**
 * Returns a function that inserts rows, in their order, by one statement. The table's entity gives
 * the columns' types; the members of the first row are the columns, and every row has the same
 * ones. No rows: no statement.
 * @param finish adds `on conflict` or `returning`.
 */
export const insertAll = <Tables, Table extends keyof Tables & string, Result = InsertResult>(
  tables: Kysely<Tables>,
  table: Table,
  finish: (insert: Insert<Tables, Table>) => Compilable<Result> = (insert) =>
    insert as unknown as Compilable<Result>,
): ((sql: Sql, rows: readonly Insertable<Tables[Table]>[]) => Promise<RowOf<Result>[]>) => {
  const statements = new Map<string, ReturnType<typeof build>>();
  const build = (columns: readonly string[]) => {
    const types = columns.map((column) => [column, declaredType(tables, table, column)] as const);
    const elements = Object.fromEntries(types.map(([column, { element }]) => [column, element]));
    const sent = expressionBuilder<{ r: Record<string, unknown> }, 'r'>();
    const values = types.map(([column, { cast }]) =>
      (cast ? sent.cast(`r.${column}`, cast) : sent.ref(`r.${column}`)).as(column),
    );
    return overRows(elements as Columns, (rows) =>
      finish(
        tables
          .insertInto(table)
          .columns(columns as never)
          .expression(
            (tables as unknown as Kysely<object>)
              .selectFrom(rows('r') as never)
              .select(values as never)
              .orderBy('r.n' as never) as never,
          ) as Insert<Tables, Table>,
      ),
    );
  };
  return async (sql, rows) => {
    if (rows.length === 0) return [];
    const columns = Object.keys(rows[0]!);
    if (rows.some((row) => Object.keys(row as object).length !== columns.length))
      throw new TypeError(`rows for ${table} have different columns`);
    const key = columns.join();
    const run = statements.get(key) ?? build(columns);
    statements.set(key, run);
    return run(sql, rows as never);
  };
};

/** A query, or a function that builds a query on tables of the statement's `with`. */
type Rows<Tables, From, Names extends keyof From> =
  | SelectQueryBuilder<From, Names, object>
  | ((eb: ExpressionBuilder<Tables, never>) => SelectQueryBuilder<From, Names, object>);

/**
 * Builds `insert into table (…) select … from …`.
 * @param rows the query that yields the rows to insert, without selected columns. The rows are
 *   inserted in the query's order.
 * @param values the value of each column, as for `values` of the builder: the compiler requires the
 *   columns without a default, and their types.
 */
export const insertRows = <
  Tables,
  Table extends keyof Tables & string,
  From,
  Names extends keyof From,
>(
  tables: Kysely<Tables> | QueryCreator<Tables>,
  table: Table,
  rows: Rows<Tables, From, Names>,
  values: (eb: ExpressionBuilder<From, Names>) => InsertObject<Tables, Table>,
): InsertQueryBuilder<Tables, Table, InsertResult> => {
  const columns = Object.entries(values(expressionBuilder<From, Names>()));
  const query = typeof rows === 'function' ? rows(expressionBuilder<Tables, never>()) : rows;
  const selected = query.select(columns.map(([column, value]) => sql`${value}`.as(column)));
  return tables
    .insertInto(table)
    .columns(columns.map(([column]) => column) as never)
    .expression(selected);
};
