/** Runs one parametrized statement ($1, $2 …). Rows have the columns' names. */
export interface Sql {
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
}
