import { pixelReader } from './pixel-reader.ts';
import { readPng } from './png-file.ts';
import { eachRow } from './unfilter.ts';

/** A picture without transparency: 3 bytes for each pixel. */
export interface Flat {
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
  const png = readPng(bytes, pixelsMax);
  let factor = 1;
  const sides = () => [Math.ceil(png.width / factor), Math.ceil(png.height / factor)] as const;
  while (sides()[0] * sides()[1] > flatMax) factor++;
  const [width, height] = sides();
  const sums = new Uint32Array(width * height * 3);
  const pixel = new Uint8Array(4);
  const readPixel = pixelReader(png, pixel);
  eachRow(png, (row, { x, y, dx, count }) => {
    const start = Math.floor(y / factor) * width;
    for (let n = 0; n < count; n++) {
      readPixel(row, n);
      const alpha = pixel[3]!;
      let at = 3 * (start + Math.floor((x + n * dx) / factor));
      for (let c = 0; c < 3; c++) sums[at++]! += pixel[c]! * alpha + 255 * (255 - alpha);
    }
  });
  const rgb = Uint8Array.from(sums, (sum, at) => {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    const columns = Math.min(factor, png.width - x * factor);
    const rows = Math.min(factor, png.height - y * factor);
    return Math.round(sum / (255 * columns * rows));
  });
  return { width, height, rgb };
};
