import {
  type AliasedExpression,
  type Compilable,
  type DeleteResult,
  type Expression,
  expressionBuilder,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  sql,
  type UpdateResult,
} from 'kysely';
import type { Sql } from '../database.ts';
import { type ArrayOf, arrayOf, type Elements } from '../values.ts';
import { declaredType, Placeholder } from './tables.ts';

/**
 * The type of a statement's rows. For a statement without rows, Kysely's type is a result count,
 * which the driver does not return; this type is `never` then.
 */
export type RowOf<Row> = Row extends InsertResult | UpdateResult | DeleteResult ? never : Row;

/**
 * Runs one statement of a builder of `tablesOf` by `sql.query`, which determines the connection or
 * transaction, the retries, the errors and the prepared statements.
 * @returns the rows, with the columns' names.
 */
export const execute = async <Row>(sql: Sql, statement: Compilable<Row>): Promise<RowOf<Row>[]> => {
  const { sql: text, parameters } = statement.compile();
  return sql.query<RowOf<Row>>(text, parameters);
};

/**
 * The parameters of a statement that is built once: an expression for each parameter, in place of
 * its value.
 */
export type Placeholders<Parameters> = {
  readonly [Name in keyof Parameters]: Expression<Parameters[Name]>;
};

/**
 * Returns a function that runs a statement by `sql.query`. The statement is built and compiled at
 * the first run only, so a later run takes no longer than a statement that is written as text.
 * @param build builds the statement; its parameter needs a type: `(given: Placeholders<{ id: string }>)`.
 */
export const statement = <Row, Parameters extends object = object>(
  build: (given: Placeholders<Parameters>) => Compilable<Row>,
): ((
  sql: Sql,
  ...values: keyof Parameters extends never ? [] : [values: Parameters]
) => Promise<RowOf<Row>[]>) => {
  let compiled: { text: string; values: readonly unknown[] } | undefined;
  return (sql, ...[values]) => {
    compiled ??= compile(build);
    const given = values as Readonly<Record<string, unknown>> | undefined;
    return sql.query(
      compiled.text,
      compiled.values.map((value) => (value instanceof Placeholder ? given?.[value.name] : value)),
    );
  };
};

const compile = <Parameters>(build: (given: Placeholders<Parameters>) => Compilable<unknown>) => {
  const placeholders = new Map<string | symbol, Placeholder>();
  const given = new Proxy(
    {},
    {
      get: (_, name: string) => {
        const known = placeholders.get(name) ?? new Placeholder(name);
        placeholders.set(name, known);
        return known;
      },
    },
  );
  const { sql: text, parameters: values } = build(given as Placeholders<Parameters>).compile();
  return { text, values };
};

/** The columns of the rows that `unnest` makes, with their types in PostgreSQL. */
type Columns = Readonly<Record<string, keyof Elements>>;

/**
 * The parameters of a statement over rows: an array for each column. All arrays have the same
 * length.
 */
type Arrays<Types extends Columns> = {
  readonly [Name in keyof Types]: Expression<ArrayOf<Elements[Types[Name]]['written']>>;
};

/** A row that `unnest` makes, as it is read; `n` is its number. */
type UnnestedRow<Types extends Columns> = {
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
  const each = entries.map(([name, type]) => hiddenFromPlanner(arrays[name]!, type));
  return sql<UnnestedRow<Types>>`unnest(${sql.join(each)}) with ordinality`.as<Alias>(
    sql`${sql.id(alias)} (${sql.join(columns)})`,
  );
};

/**
 * An array whose length the planner does not see. If it saw it, PostgreSQL would plan the statement
 * again at each run, since the plan for a short array costs less than the general one; the planning
 * took longer than the insert of an order.
 */
const hiddenFromPlanner = (array: Expression<unknown>, type: keyof Elements) =>
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
  type ? sql`any (${hiddenFromPlanner(array, type)}::${sql.raw(type)}[])` : sql`any (${array})`;

/** A row that is sent, with a member for each column. */
export type SentRow<Types extends Columns> = {
  readonly [Name in keyof Types]: Elements[Types[Name]]['written'];
};

/** Makes the sent rows a table with this alias (`unnest`). */
type SentRows<Types extends Columns> = <const Alias extends string>(
  alias: Alias,
) => AliasedExpression<UnnestedRow<Types>, Alias>;

/**
 * Returns a function that runs one statement over rows, which are sent as an array for each column.
 * The statement is built once (`statement`).
 * @param types the columns of the rows, with their types in PostgreSQL.
 * @param build builds the statement from the rows, as a table, and from further parameters.
 */
export const bulkStatement = <
  const Types extends Columns,
  Result,
  Parameters extends object = object,
>(
  types: Types,
  build: (rows: SentRows<Types>, given: Placeholders<Parameters>) => Compilable<Result>,
): ((
  sql: Sql,
  rows: readonly SentRow<Types>[],
  ...parameters: keyof Parameters extends never ? [] : [parameters: Parameters]
) => Promise<RowOf<Result>[]>) => {
  const run = statement((given: Placeholders<Record<string, unknown>>) => {
    const arrays = Object.keys(types).map((name) => [name, given[arrayName(name)]]);
    const rows: SentRows<Types> = (alias) =>
      unnest(alias, Object.fromEntries(arrays), types as Types);
    return build(rows, given as unknown as Placeholders<Parameters>);
  });
  return (sql, rows, ...[parameters]) => run(sql, { ...parameters, ...arraysOf(types, rows) });
};

/** The parameter of a column's array: a name that no other parameter has. */
const arrayName = (column: string): string => `rows.${column}`;

const arraysOf = <Types extends Columns>(types: Types, rows: readonly SentRow<Types>[]) =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      arrayName(name),
      arrayOf(type, rows.map((row) => row[name]) as never),
    ]),
  );

/**
 * Returns a function that inserts rows, in their order, by one statement. The table's entity gives
 * the columns' types; the members of the first row are the columns, and every row has the same
 * ones. No rows: no statement.
 * @param finish adds `on conflict` or `returning`.
 */
export const bulkInsert = <Tables, Table extends keyof Tables & string, Result = InsertResult>(
  tables: Kysely<Tables>,
  table: Table,
  finish: (insert: InsertQueryBuilder<Tables, Table, InsertResult>) => Compilable<Result> = (
    insert,
  ) => insert as unknown as Compilable<Result>,
): ((sql: Sql, rows: readonly Insertable<Tables[Table]>[]) => Promise<RowOf<Result>[]>) => {
  const statements = new Map<string, ReturnType<typeof build>>();
  const build = (columns: readonly string[]) => {
    const types = columns.map((column) => [column, declaredType(tables, table, column)] as const);
    const elements = Object.fromEntries(types.map(([column, { element }]) => [column, element]));
    const sent = expressionBuilder<{ r: Record<string, unknown> }, 'r'>();
    const values = types.map(([column, { cast }]) =>
      (cast ? sent.cast(`r.${column}`, cast) : sent.ref(`r.${column}`)).as(column),
    );
    return bulkStatement(elements as Columns, (rows) =>
      finish(
        tables
          .insertInto(table)
          .columns(columns as never)
          .expression(
            (tables as unknown as Kysely<object>)
              .selectFrom(rows('r') as never)
              .select(values as never)
              .orderBy('r.n' as never) as never,
          ) as InsertQueryBuilder<Tables, Table, InsertResult>,
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
