import { Failure } from '@pto/errors';

/** A page of a copy: what it is for Import, and rows of tables as `exportRows` returns them. */
export interface Page<Head extends object> {
  readonly head: Head;
  /** JSON arrays by the names of the tables. */
  readonly rows: ReadonlyMap<string, string>;
}

/**
 * Returns the bytes of a page: a line with its head and the sizes of the tables, then their rows.
 * These stay text, because numbers of PostgreSQL exceed those of JavaScript.
 */
export const encodePage = <Head extends object>({ head, rows }: Page<Head>): Buffer => {
  const tables = [...rows].map(([name, text]) => [name, Buffer.from(text)] as const);
  const sizes = tables.map(([name, bytes]) => [name, bytes.length]);
  const first = Buffer.from(`${JSON.stringify({ head, sizes })}\n`);
  return Buffer.concat([first, ...tables.map(([, bytes]) => bytes)]);
};

/** @throws Failure VALIDATION for bytes that `encodePage` did not return. */
export const decodePage = <Head extends object>(bytes: Uint8Array): Page<Head> => {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const begin = page.indexOf('\n') + 1;
    const { head, sizes } = JSON.parse(page.toString('utf8', 0, begin)) as {
      head: Head;
      sizes: [name: string, size: number][];
    };
    const rows = new Map<string, string>();
    let at = begin;
    for (const [name, size] of sizes) {
      rows.set(name, page.toString('utf8', at, at + size));
      at += size;
    }
    if (at !== page.length) throw new Error('the page has another size');
    return { head, rows };
  } catch (cause) {
    throw new Failure('VALIDATION', 'rows is not a page of Export.', { cause });
  }
};
