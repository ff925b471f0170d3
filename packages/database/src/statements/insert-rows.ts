import {
  type ExpressionBuilder,
  expressionBuilder,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryCreator,
  type SelectQueryBuilder,
  sql,
} from 'kysely';

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
