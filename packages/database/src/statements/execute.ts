import type { Compilable, DeleteResult, InsertResult, UpdateResult } from 'kysely';
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
