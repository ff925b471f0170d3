import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** A picture without transparency: 3 bytes for each pixel. */
interface Flat {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Maximum number of pixels of the result: 1 MiB, as much as a file may have. */
const flatMax = 350_000;

/**
 * Returns a PNG picture on white, reduced by a whole factor to at most 350,000 pixels.
 * @throws Error if it is broken or has more pixels than the maximum
 */
export const flattenPng = (bytes: Buffer, pixelsMax: number): Flat => {
  requireBounded(bytes, pixelsMax);
  const png = PNG.sync.read(bytes);
  let factor = 1;
  const sides = () => [Math.ceil(png.width / factor), Math.ceil(png.height / factor)] as const;
  while (sides()[0] * sides()[1] > flatMax) factor++;
  const [width, height] = sides();
  const sums = new Uint32Array(width * height * 3);
  for (let y = 0, from = 0; y < png.height; y++)
    for (let x = 0; x < png.width; x++, from += 4) {
      const alpha = png.data[from + 3]!;
      let at = 3 * (Math.floor(y / factor) * width + Math.floor(x / factor));
      for (let c = 0; c < 3; c++) sums[at++]! += png.data[from + c]! * alpha + 255 * (255 - alpha);
    }
  const rgb = Uint8Array.from(sums, (sum, at) => {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    const columns = Math.min(factor, png.width - x * factor);
    const rows = Math.min(factor, png.height - y * factor);
    return Math.round(sum / (255 * columns * rows));
  });
  return { width, height, rgb };
};

/** Samples of a pixel by color type: gray, RGB, palette, gray with alpha, RGB with alpha. */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Requires that the data have the bytes of all pixels, and not many more: pngjs has no bound for an
 * interlaced picture, and draws one that is cut off.
 */
const requireBounded = (bytes: Buffer, pixelsMax: number): void => {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const pixels = width * height;
  if (pixels === 0 || pixels > pixelsMax) throw new Error('the PNG picture has too many pixels');
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const size = (pixels * bytes[24]! * (samples[bytes[25]!] ?? 0)) / 8;
  // the 7 passes of an interlaced picture have less than 2 rows for each, with 2 bytes more than pixels
  const maxOutputLength = Math.ceil(size) + 4 * height + 14;
  if (inflateSync(Buffer.concat(data), { maxOutputLength }).length < size)
    throw new Error('the PNG picture has too few pixels');
};
