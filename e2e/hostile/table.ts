/** Rows and columns as text, each column as wide as it must be. */
export const tableText = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
