import { printable } from '@pto/custody-verifier/printable';

/** What a command prints: an object's members, or a list of rows. */
export type Shown = object | readonly object[];

/**
 * Returns the lines of one JSON document, or those of a table.
 * @param columns the members of a list's rows that the table shows; all by default.
 */
export const printedLines = (
  value: Shown,
  { json, columns }: { json: boolean | undefined; columns?: readonly string[] | undefined },
): string[] => (json ? JSON.stringify(value, null, 2).split('\n') : tableLines(value, columns));

/** Returns a table: rows for a list with a line of names first, members for an object. */
export const tableLines = (value: Shown, shown?: readonly string[]): string[] => {
  if (!Array.isArray(value))
    return aligned(Object.entries(value).map(([k, v]) => [printable(k), cell(v)]));
  if (value.length === 0) return ['(none)'];
  const names = shown ?? [...new Set(value.flatMap((row) => Object.keys(row)))];
  const rows = value.map((row) => names.map((name) => cell(row[name])));
  return aligned([names.map((name) => printable(name.toUpperCase())), ...rows]);
};

const aligned = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]!.map((_, n) => Math.max(...rows.map((row) => row[n]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, n) => text.padEnd(widths[n]!))
      .join('  ')
      .trimEnd();
  return rows.map(line);
};

/** Returns the text of a cell, already printable: a column's width is that of what is shown. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((v) => typeof v !== 'object'))
    return printable(value.join(', '));
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
};
