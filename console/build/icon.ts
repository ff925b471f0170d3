import { crc32, deflateSync } from 'node:zlib';

/** Three bars on a dark ground, as in `icon.svg`: from, to and middle, in parts of the side. */
const bars = [
  { from: 0.3, to: 0.7, y: 0.36 },
  { from: 0.3, to: 0.7, y: 0.5 },
  { from: 0.3, to: 0.54, y: 0.64 },
];
const radius = 0.04;
const [ground, ink] = [Buffer.from('12161c', 'hex'), Buffer.from('8ab8f0', 'hex')];

/**
 * Draws the icon of the driver's page, opaque to its edges: the phone cuts it to its own form.
 * @param size of a side in pixels.
 * @returns a PNG.
 */
export const drawIcon = (size: number): Buffer => {
  const rows = Array.from({ length: size }, (_, y) =>
    Buffer.concat([
      Buffer.from([0]), // no filter
      ...Array.from({ length: size }, (_, x) => colorAt((x + 0.5) / size, (y + 0.5) / size, size)),
    ]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8); // 8 bits of red, green and blue
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const content = deflateSync(Buffer.concat(rows), { level: 9 });
  return Buffer.concat([
    ...[signature, chunk('IHDR', header), chunk('IDAT', content)],
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** Returns the color of a pixel; one at an edge has a part of each. */
const colorAt = (x: number, y: number, size: number): Buffer => {
  const away = bars.map((bar) =>
    Math.hypot(x - Math.min(Math.max(x, bar.from), bar.to), y - bar.y),
  );
  const part = Math.min(Math.max((radius - Math.min(...away)) * size + 0.5, 0), 1);
  return Buffer.from(ground.map((value, at) => Math.round(value + (ink[at]! - value) * part)));
};

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
