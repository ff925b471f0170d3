import { inflateSync } from 'node:zlib';

/** A PNG picture with its filtered pixels. */
export interface PngFile {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample: 1, 2, 4, 8 or 16. */
  readonly bits: number;
  readonly color: number;
  /** Samples of a pixel. */
  readonly channels: number;
  readonly passes: readonly Pass[];
  readonly palette: Buffer;
  /** Content of the chunk tRNS. */
  readonly transparency: Buffer;
  readonly filtered: Buffer;
}

/** A part of the pixels, whose rows follow each other in the file. */
export interface Pass {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly columns: number;
  readonly rows: number;
  readonly bytesPerRow: number;
}

/** Bits and samples by color type: gray, RGB, palette, gray with alpha, RGB with alpha. */
const forms: Readonly<Record<number, { bits: readonly number[]; channels: number }>> = {
  0: { bits: [1, 2, 4, 8, 16], channels: 1 },
  2: { bits: [8, 16], channels: 3 },
  3: { bits: [1, 2, 4, 8], channels: 1 },
  4: { bits: [8, 16], channels: 2 },
  6: { bits: [8, 16], channels: 4 },
};

/** First column and row, and the distances to the next, by interlace method (PNG 8.1). */
const grids = [
  [[0, 0, 1, 1]],
  [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ],
] as const;

/**
 * Returns a PNG picture, decompressed to no more bytes than its pixels have.
 * @throws Error if it is broken or has more pixels than the maximum
 */
export const readPng = (bytes: Buffer, pixelsMax: number): PngFile => {
  const chunks = chunksOf(bytes);
  const header = chunks('IHDR');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bits, color, compression, filters, interlace] = header.subarray(8);
  const form = forms[color!];
  const grid = grids[interlace!];
  if (!form?.bits.includes(bits!) || compression !== 0 || filters !== 0 || !grid)
    throw new Error('the PNG picture has an unknown form');
  if (width * height > pixelsMax) throw new Error('the PNG picture has too many pixels');
  const passes = grid.map(([x, y, dx, dy]): Pass => {
    const columns = Math.ceil(Math.max(0, width - x) / dx);
    const rows = columns && Math.ceil(Math.max(0, height - y) / dy);
    return {
      x,
      y,
      dx,
      dy,
      columns,
      rows,
      bytesPerRow: Math.ceil((columns * form.channels * bits!) / 8),
    };
  });
  const size = passes.reduce((sum, { rows, bytesPerRow }) => sum + rows * (1 + bytesPerRow), 0);
  const filtered = inflateSync(chunks('IDAT'), { maxOutputLength: size });
  if (filtered.length < size) throw new Error('the PNG picture has too few pixels');
  return {
    ...{ width, height, bits: bits!, color: color!, channels: form.channels, passes, filtered },
    ...{ palette: chunks('PLTE'), transparency: chunks('tRNS') },
  };
};

/** Returns a function that returns the content of all chunks of a type. */
const chunksOf = (bytes: Buffer): ((type: string) => Buffer) => {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return (wanted) =>
    Buffer.concat(chunks.filter(({ type }) => type === wanted).map(({ data }) => data));
};
