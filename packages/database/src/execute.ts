import type { Compilable, DeleteResult, InsertResult, UpdateResult } from 'kysely';
import type { Sql } from './database.ts';

/** A statement that returns no rows has Kysely's counts as its type; the driver's are not read. */
type RowOf<Row> = Row extends InsertResult | UpdateResult | DeleteResult ? never : Row;

/**
 * Runs one statement of `tablesOf`, in the same way as `sql.query` runs text: its connection or
 * transaction, retries, converted errors and prepared statements are the same.
 * @returns the rows, with the columns' names.
 */
export const execute = async <Row>(sql: Sql, statement: Compilable<Row>): Promise<RowOf<Row>[]> => {
  const { sql: text, parameters } = statement.compile();
  return sql.query<RowOf<Row>>(text, parameters);
};
