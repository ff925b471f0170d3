import type { PngFile } from './png-file.ts';

const palette = 3;

/**
 * Returns a function that reads the n-th pixel of a row.
 * @param pixel receives its red, green, blue and alpha, each 0 to 255.
 */
export const pixelReader = (png: PngFile, pixel: Uint8Array) => {
  const { bits, color, channels, transparency } = png;
  const max = 2 ** bits - 1;
  const sample = (row: Uint8Array, n: number): number => {
    if (bits === 8) return row[n]!;
    if (bits === 16) return 256 * row[2 * n]! + row[2 * n + 1]!;
    return (row[(n * bits) >> 3]! >> (8 - bits - ((n * bits) % 8))) & max;
  };
  const byteOf = (value: number): number => (bits === 16 ? value >> 8 : (value * 255) / max);
  const hasAlpha = channels % 2 === 0;
  const colors = hasAlpha ? channels - 1 : channels;
  /** The one color that is transparent, of a picture without alpha. */
  const clear =
    transparency.length === 2 * colors
      ? Array.from({ length: colors }, (_, c) => transparency.readUInt16BE(2 * c))
      : undefined;
  return (row: Uint8Array, n: number): void => {
    const first = n * channels;
    if (color === palette) {
      const index = sample(row, first);
      for (let c = 0; c < 3; c++) pixel[c] = png.palette[3 * index + c] ?? 0;
      pixel[3] = transparency[index] ?? 255;
      return;
    }
    let isClear = clear !== undefined;
    for (let c = 0; c < 3; c++) {
      const value = sample(row, first + (colors === 1 ? 0 : c));
      pixel[c] = byteOf(value);
      isClear &&= value === clear![colors === 1 ? 0 : c];
    }
    pixel[3] = hasAlpha ? byteOf(sample(row, first + colors)) : isClear ? 0 : 255;
  };
};
