import { reject } from './reject.ts';

/** Maximum number of pixels. A small file can declare gigabytes of pixels (decompression bomb). */
const pixelsMax = 40_000_000;

/** @throws Failure if a side is 0 or there are more than 40 million pixels. */
export const checkPixels = (width: number, height: number): void => {
  if (width === 0 || height === 0)
    reject(`the picture's dimensions are ${width} x ${height}: export it with a width and height`);
  if (width * height > pixelsMax)
    reject(`the picture has ${width} x ${height} pixels: scale it to at most 40 million pixels`);
};
