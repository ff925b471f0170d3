import type { Compilable, Expression } from 'kysely';
import type { Sql } from '../database.ts';
import type { RowOf } from './execute.ts';
import { Placeholder } from './placeholder.ts';

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
