/** Barcodes by ZXing-C++ (WebAssembly), for a browser without `BarcodeDetector`. */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm';
import type { Detect } from './detector.ts';

prepareZXingModule({ overrides: { locateFile: () => new URL(wasm, import.meta.url).href } });

/** A picture of this width has a bar of a seal in two pixels or more. */
const widthMax = 1280;
const canvas = document.createElement('canvas');

export const detect: Detect = async (video) => {
  const scale = Math.min(1, widthMax / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  const picture = context.getImageData(0, 0, canvas.width, canvas.height);
  const read = await readBarcodes(picture, {
    formats: ['Code128', 'EAN13', 'EAN8', 'DataMatrix', 'QRCode'],
    maxNumberOfSymbols: 4,
  });
  return read.filter(({ isValid }) => isValid).map(({ text }) => text);
};
