import {
  type Compilable,
  type DeleteResult,
  type Expression,
  type InsertResult,
  PostgresQueryCompiler,
  type UpdateResult,
  ValueNode,
} from 'kysely';
import type { Sql } from '../database.ts';

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

/** Stands for the value of a parameter in a statement that is built once (`statement`). */
class Placeholder implements Expression<never> {
  readonly expressionType = undefined;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  toOperationNode(): ValueNode {
    return ValueNode.create(this);
  }
}

/**
 * Writes statements for PostgreSQL. All uses of one placeholder are one parameter (`$1`), so its
 * value is sent once and the planner knows that the uses are equal.
 */
export class StatementCompiler extends PostgresQueryCompiler {
  readonly #numbers = new Map<Placeholder, string>();

  override compileQuery(
    ...query: Parameters<PostgresQueryCompiler['compileQuery']>
  ): ReturnType<PostgresQueryCompiler['compileQuery']> {
    this.#numbers.clear();
    return super.compileQuery(...query);
  }

  protected override appendValue(parameter: unknown): void {
    const placeholder = parameter instanceof Placeholder ? parameter : undefined;
    const known = placeholder && this.#numbers.get(placeholder);
    if (known === undefined) super.appendValue(parameter);
    else this.append(known);
    if (placeholder) this.#numbers.set(placeholder, known ?? this.getCurrentParameterPlaceholder());
  }
}

/**
 * The parameters of a statement that is built once: an expression for each parameter, in place of
 * its value.
 */
export type Given<Parameters> = {
  readonly [Name in keyof Parameters]: Expression<Parameters[Name]>;
};

/** Runs a statement with the values of its parameters. @returns the rows. */
export type Statement<Parameters, Row> = (
  sql: Sql,
  ...values: keyof Parameters extends never ? [] : [values: Parameters]
) => Promise<RowOf<Row>[]>;

/**
 * Returns a function that runs a statement by `sql.query`. The statement is built and compiled at
 * the first run only, so a later run takes no longer than a statement that is written as text.
 * @param build builds the statement; its parameter needs a type: `(given: Given<{ id: string }>)`.
 */
export const statement = <Row, Parameters extends object = object>(
  build: (given: Given<Parameters>) => Compilable<Row>,
): Statement<Parameters, Row> => {
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

const compile = <Parameters>(build: (given: Given<Parameters>) => Compilable<unknown>) => {
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
  const { sql: text, parameters: values } = build(given as Given<Parameters>).compile();
  return { text, values };
};
