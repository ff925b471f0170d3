import { invalid } from '@pto/errors';

/** A page of rows as bytes for Import of the same service of another cell. */
export interface Page {
  /** Name of the table; a page of `endpoints` has the tables that belong to it, too. */
  readonly of: string;
  /** Whether the page begins its table. */
  readonly isFirst: boolean;
  /** JSON arrays of rows as `exportRows` returns them, by table. */
  readonly rows: ReadonlyMap<string, string>;
}

/**
 * Returns the bytes of a page: a line that says what follows, then a line for each table. The rows
 * stay text, because numbers of PostgreSQL exceed those of JavaScript; PostgreSQL's JSON has no
 * line breaks.
 */
export const encodePage = ({ of, isFirst, rows }: Page): Buffer =>
  Buffer.from(
    [JSON.stringify({ of, isFirst, tables: [...rows.keys()] }), ...rows.values()].join('\n'),
  );

/** @throws Failure VALIDATION for bytes that `encodePage` did not return. */
export const decodePage = (bytes: Uint8Array): Page => {
  try {
    const [head = '', ...rows] = Buffer.from(bytes).toString('utf8').split('\n');
    const { of, isFirst, tables } = JSON.parse(head) as {
      of: string;
      isFirst: boolean;
      tables: string[];
    };
    if (tables.length !== rows.length) throw new Error('a table has no rows');
    return { of, isFirst, rows: new Map(tables.map((name, n) => [name, rows[n]!])) };
  } catch {
    throw invalid(['rows'], 'is not a page of Export');
  }
};
