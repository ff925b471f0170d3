/** Pictures of barcodes, and a video for Chromium's fake camera (Y4M) that shows one after the other. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer';

const [width, height, framesEach, quiet] = [640, 480, 12, 40];

const module = readFileSync(
  createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'),
);
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(module).buffer } });

export type Codes = readonly (readonly [format: WriteInputBarcodeFormat, text: string])[];

/** Returns the light of each pixel of each code, 0 to 255, in `width` by `height` pixels. */
const picturesOf = (codes: Codes): Promise<Buffer[]> =>
  Promise.all(
    codes.map(async ([format, text]) => {
      const { error, symbol } = await writeBarcode(text, { format });
      if (error !== '') throw new Error(`${format} ${text}: ${error}`);
      const unit = Math.floor(
        Math.min((width - 2 * quiet) / symbol.width, (height - 2 * quiet) / symbol.height),
      );
      const light = Buffer.alloc(width * height, 235);
      for (let at = 0; at < light.length; at++) {
        const x = Math.floor(((at % width) - quiet) / unit);
        const y = Math.floor((Math.floor(at / width) - quiet) / unit);
        const isInside = x >= 0 && x < symbol.width && y >= 0 && y < symbol.height;
        if (isInside && symbol.data[y * symbol.width + x] === 0) light[at] = 16;
      }
      return light;
    }),
  );

export const barcodeVideo = async (codes: Codes): Promise<Buffer> => {
  const color = Buffer.alloc((width * height) / 2, 128);
  const frames = (await picturesOf(codes)).flatMap(
    (light) =>
      Array(framesEach)
        .fill([Buffer.from('FRAME\n'), light, color])
        .flat() as Buffer[],
  );
  const head = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`;
  return Buffer.concat([Buffer.from(head), ...frames]);
};

/**
 * Returns a script that gives a page a camera which shows the codes one after the other.
 * @param torch whether it has a lamp; the page's `lamp` has what it was set to.
 */
export const fakeCamera = async (codes: Codes, torch = false): Promise<string> => {
  const pictures = (await picturesOf(codes)).map((light) => light.toString('base64'));
  return `globalThis.lamp = [];
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [${width}, ${height}];
    const context = canvas.getContext('2d');
    const pictures = ${JSON.stringify(pictures)}.map((text) => {
      const picture = context.createImageData(${width}, ${height});
      const light = atob(text);
      for (let at = 0; at < light.length; at++)
        picture.data.set([light.charCodeAt(at), light.charCodeAt(at), light.charCodeAt(at), 255], 4 * at);
      return picture;
    });
    let shown = 0;
    const show = () => context.putImageData(pictures[shown++ % pictures.length], 0, 0);
    show();
    setInterval(show, 400);
    const stream = canvas.captureStream(10);
    const [track] = stream.getVideoTracks();
    track.getCapabilities = () => (${torch} ? { torch: true } : {});
    track.applyConstraints = async ({ advanced: [{ torch }] }) => void lamp.push(torch);
    return stream;
  };`;
};
