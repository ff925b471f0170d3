import type { PngFile } from './png-file.ts';

/** Predicts a byte from the bytes to the left, above, and above to the left (PNG 9.2). */
type Filter = (left: number, up: number, corner: number) => number;

const filters: readonly Filter[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const toLeft = Math.abs(up - corner);
    const toUp = Math.abs(left - corner);
    const toCorner = Math.abs(left + up - 2 * corner);
    if (toLeft <= toUp && toLeft <= toCorner) return left;
    return toUp <= toCorner ? up : corner;
  },
];

/**
 * Calls a function for each row of a picture, after its filter was undone.
 * @param use is called with the samples of `count` pixels: the first at (x, y), each next one `dx`
 *   to the right.
 * @throws Error for an unknown filter
 */
export const eachRow = (
  { passes, channels, bits, filtered }: PngFile,
  use: (row: Uint8Array, place: { x: number; y: number; dx: number; count: number }) => void,
): void => {
  const step = Math.ceil((channels * bits) / 8);
  let at = 0;
  for (const { x, y, dx, dy, columns, rows, bytesPerRow } of passes) {
    let above: Uint8Array = new Uint8Array(bytesPerRow);
    for (let n = 0; n < rows; n++) {
      const filter = filters[filtered[at]!];
      if (!filter) throw new Error('the PNG picture has an unknown filter');
      const row = filtered.subarray(at + 1, at + 1 + bytesPerRow);
      unfilter(row, above, filter, step);
      use(row, { x, y: y + n * dy, dx, count: columns });
      above = row;
      at += 1 + bytesPerRow;
    }
  }
};

const unfilter = (row: Uint8Array, above: Uint8Array, filter: Filter, step: number): void => {
  for (let i = 0; i < row.length; i++) {
    const left = i < step ? 0 : row[i - step]!;
    const corner = i < step ? 0 : above[i - step]!;
    row[i] = row[i]! + filter(left, above[i]!, corner);
  }
};
