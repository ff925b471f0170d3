/** A photo as a phone makes it that lies on its side: with the turn, a place and a name in its Exif. */
import type { Page } from 'playwright-core';

/** Exif with the orientation 6 (turn it right) and a text, as APP1 of a JPEG. */
const exif = (): Buffer => {
  const text = Buffer.from('Geheim\0\0', 'latin1');
  const tiff = Buffer.alloc(38);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  const tag = (at: number, id: number, type: number, count: number) => {
    tiff.writeUInt16BE(id, at);
    tiff.writeUInt16BE(type, at + 2);
    tiff.writeUInt32BE(count, at + 4);
  };
  tag(10, 0x0112, 3, 1);
  tiff.writeUInt16BE(6, 18);
  tag(22, 0x013b, 2, text.length);
  tiff.writeUInt32BE(38, 30);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, text]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

/** Draws 2400 by 1800 pixels of noise and shapes in the browser. */
const draw = `(async () => {
  const canvas = new OffscreenCanvas(2400, 1800);
  const context = canvas.getContext('2d');
  for (let at = 0; at < 4000; at++) {
    context.fillStyle = 'hsl(' + (at * 37) % 360 + ' 60% ' + (at * 7) % 90 + '%)';
    context.fillRect((at * 131) % 2400, (at * 71) % 1800, 60, 40);
  }
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return [...new Uint8Array(await blob.arrayBuffer())];
})()`;

export const aPhoto = async (page: Page) => {
  const jpeg = Buffer.from((await page.evaluate(draw)) as number[]);
  const buffer = Buffer.concat([jpeg.subarray(0, 2), exif(), jpeg.subarray(2)]);
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
};
