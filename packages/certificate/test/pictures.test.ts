import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { pngChunk, pngEnd, pngSignature } from '@pto/testing';
import { certificatePdf } from '../src/index.ts';
import { flattenPng } from '../src/pdf/flatten-png.ts';
import { pdfText, withoutSpace } from './pdf-text.ts';
import { artifactHash } from './samples/a-history.ts';
import { provenInput } from './samples/an-input.ts';

/** Of one row of two pixels, if not stated otherwise. */
interface Form {
  readonly width?: number;
  readonly height?: number;
  readonly bits?: number;
  readonly color: number;
  readonly interlace?: number;
}

const pngOf = (
  { width = 2, height = 1, bits = 8, color, interlace = 0 }: Form,
  idat: Uint8Array,
  chunks: readonly Buffer[] = [],
): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, color, 0, 0, interlace], 8);
  const pixels = pngChunk('IDAT', idat);
  return Buffer.concat([pngSignature, pngChunk('IHDR', header), ...chunks, pixels, pngEnd]);
};
const deflated = (...bytes: number[]) => deflateSync(Buffer.from(bytes));
const chunk = (type: string, ...bytes: number[]) => pngChunk(type, Buffer.from(bytes));
const pdfWith = async (content: Uint8Array) =>
  Buffer.from(
    await certificatePdf({ ...provenInput, pictures: [{ sha256: artifactHash, content }] }),
  );
const rgba = { color: 6 };

describe('a certificate is made without a picture', () => {
  test.each([
    ['whose data is no zlib stream', pngOf(rgba, Buffer.from('none'))],
    ['with the filter 9', pngOf(rgba, deflated(9, 0, 0, 0, 255, 0, 0, 0, 255))],
    ['with a pixel too few', pngOf(rgba, deflated(0, 0, 0, 0, 255))],
    ['without its palette or data', pngOf({ color: 3 }, Buffer.alloc(0))],
    ['of an unknown color type', pngOf({ color: 5 }, deflated(0, 1, 2))],
    ['of 4,000,001 pixels', pngOf({ color: 0, width: 4_000_001 }, deflateSync(Buffer.alloc(9)))],
    ['that is cut off', pngOf(rgba, deflated(0, 0)).subarray(0, 20)],
    ['without a size', pngOf({ color: 0, width: 0 }, deflated(0))],
  ])('%s, and says so beside its hash', async (_, content) => {
    const bytes = await pdfWith(content);
    expect(bytes.includes('/Subtype /Image')).toBe(false);
    const text = await pdfText(bytes);
    expect(text).toContain('This document cannot show the picture.');
    expect(withoutSpace(text)).toContain(`SHA-256${artifactHash}`);
  });
});

test('a picture that decompresses to 256 MiB takes the memory of its two pixels', async () => {
  const bomb = pngOf({ ...rgba, interlace: 1 }, deflateSync(Buffer.alloc(256 * 1024 * 1024)));
  const before = process.resourceUsage().maxRSS;
  expect((await pdfWith(bomb)).includes('/Subtype /Image')).toBe(false);
  // in KiB
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(100 * 1024);
});

const [white, black, red, blue] = [
  [255, 255, 255],
  [0, 0, 0],
  [255, 0, 0],
  [0, 0, 255],
];

describe('a picture is shown on white', () => {
  const paletteOf = chunk('PLTE', ...red, ...blue, ...black);
  test.each([
    ['RGB', pngOf({ color: 2 }, deflated(0, ...red, ...blue)), [red, blue]],
    [
      'RGB with a transparent color',
      pngOf({ color: 2 }, deflated(0, ...red, ...blue), [chunk('tRNS', 0, 255, 0, 0, 0, 0)]),
      [white, blue],
    ],
    ['RGB with alpha', pngOf(rgba, deflated(0, ...red, 255, ...black, 0)), [red, white]],
    [
      'half transparent',
      pngOf(rgba, deflated(0, ...black, 51, ...red, 128)),
      [
        [204, 204, 204],
        [255, 127, 127],
      ],
    ],
    [
      'RGB with alpha, 16 bits',
      pngOf(
        { color: 6, bits: 16 },
        deflated(0, 255, 255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0),
      ),
      [red, white],
    ],
    [
      'gray',
      pngOf({ color: 0 }, deflated(0, 7, 9)),
      [
        [7, 7, 7],
        [9, 9, 9],
      ],
    ],
    ['gray, 1 bit', pngOf({ color: 0, bits: 1 }, deflated(0, 0b0100_0000)), [black, white]],
    [
      'gray, 16 bits, with a transparent shade',
      pngOf({ color: 0, bits: 16 }, deflated(0, 7, 1, 7, 2), [chunk('tRNS', 7, 1)]),
      [white, [7, 7, 7]],
    ],
    ['gray with alpha', pngOf({ color: 4 }, deflated(0, 0, 255, 0, 0)), [black, white]],
    [
      'of a palette, 1 bit, with transparency',
      pngOf({ color: 3, bits: 1 }, deflated(0, 0b1000_0000), [paletteOf, chunk('tRNS', 0)]),
      [blue, white],
    ],
    [
      'of a palette, 2 bits, with transparency',
      pngOf({ color: 3, bits: 2 }, deflated(0, 0b1001_0000), [paletteOf, chunk('tRNS', 255, 0)]),
      [black, white],
    ],
    [
      'of a palette, 4 bits',
      pngOf({ color: 3, bits: 4 }, deflated(0, 0x21), [paletteOf]),
      [black, blue],
    ],
    ['of a palette, 8 bits', pngOf({ color: 3 }, deflated(0, 2, 0), [paletteOf]), [black, red]],
  ])('%s', (_, content, pixels) => {
    expect([...flattenPng(content, 2).rgb]).toEqual(pixels.flat());
  });
});

test('each filter is undone', () => {
  const rows = [
    [1, 10, 5, 5],
    [2, 1, 1, 1],
    [3, 4, 4, 4],
    [4, 250, 1, 0],
    [0, 7, 8, 9],
  ];
  const picture = pngOf({ color: 0, width: 3, height: 5 }, deflated(...rows.flat()));
  const shades = flattenPng(picture, 15).rgb.filter((_, at) => at % 3 === 0);
  const shown = [
    [10, 15, 20],
    [11, 16, 21],
    [9, 16, 22],
    [3, 10, 16],
    [7, 8, 9],
  ];
  expect([...shades]).toEqual(shown.flat());
});

test('the pixels of an interlaced picture are in their places', () => {
  const order = [
    [1, 6, 4, 6, 2],
    [7, 7, 7, 7, 7],
    [5, 6, 5, 6, 5],
    [7, 7, 7, 7, 7],
    [3, 6, 4, 6, 3],
  ];
  const passes = [
    [[1]],
    [[2]],
    [[3, 3]],
    [[4], [4]],
    [[5, 5, 5]],
    [
      [6, 6],
      [6, 6],
      [6, 6],
    ],
    [
      [7, 7, 7, 7, 7],
      [7, 7, 7, 7, 7],
    ],
  ];
  const idat = deflated(...passes.flat().flatMap((row) => [0, ...row]));
  const form = { color: 0, interlace: 1, width: 5, height: 5 };
  const shades = flattenPng(pngOf(form, idat), 25).rgb.filter((_, at) => at % 3 === 0);
  expect([...shades]).toEqual(order.flat());
});

test('a picture of 2,400 x 600 pixels is reduced to the mean of 3 x 3, and its last column stays', () => {
  const [width, height] = [2401, 600];
  const row = [
    0,
    ...Array.from({ length: width }, (_, x) => (x === width - 1 || x % 3 === 0 ? 90 : 0)),
  ];
  const idat = deflateSync(Buffer.concat(Array(height).fill(Buffer.from(row))));
  const flat = flattenPng(pngOf({ color: 0, width, height }, idat), width * height);
  expect([flat.width, flat.height]).toEqual([801, 200]);
  expect([...flat.rgb.subarray(0, 3), ...flat.rgb.subarray(-3)]).toEqual([30, 30, 30, 90, 90, 90]);
});

test('a signature on a transparent ground is in the certificate, with the same bytes each time', async () => {
  const signature = pngOf(rgba, deflated(0, ...black, 255, ...black, 0));
  const [first, second] = [await pdfWith(signature), await pdfWith(signature)];
  expect(first.equals(second)).toBe(true);
  expect(first.includes(Buffer.from([...black, ...white]))).toBe(true);
  expect(first.includes('/Subtype /Image')).toBe(true);
  expect(first.includes('/FlateDecode')).toBe(false);
  expect(await pdfText(first)).not.toContain('cannot show');
});

/** Returns the head of a JPEG picture of 400 x 100 pixels with an orientation. */
const jpegOf = (orientation: number, channels = 3, bits = 8): Buffer => {
  const exif = Buffer.from(
    'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0',
    'latin1',
  );
  exif[25] = orientation;
  const frame = Buffer.from([0, 8 + 3 * channels, bits, 0, 100, 400 >> 8, 400 & 255, channels]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2]),
    exif,
    Buffer.from([0xff, 0xc0]),
    frame,
    Buffer.alloc(3 * channels),
  ]);
};

/** Returns the sides of the first picture on its page, in points. */
const sizeOf = (pdf: Buffer): { width: number; height: number } => {
  const placed = /((?:[-\d. ]+ cm\n)+)\/\w+ Do/.exec(pdf.toString('latin1'))![1]!;
  const matrices = placed
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(0, 6).map(Number));
  // the sides of the square after all matrices, the last one first
  const sides = matrices.toReversed().reduce(
    (vectors, [a, b, c, d]) => vectors.map(([x, y]) => [a! * x! + c! * y!, b! * x! + d! * y!]),
    [
      [1, 0],
      [0, 1],
    ],
  );
  const extent = (axis: number) =>
    Math.round(Math.abs(sides[0]![axis]!) + Math.abs(sides[1]![axis]!));
  return { width: extent(0), height: extent(1) };
};

test.each([
  [1, 200, 50],
  [2, 200, 50],
  [3, 200, 50],
  [4, 200, 50],
  [5, 23, 90],
  [6, 23, 90],
  [7, 23, 90],
  [8, 23, 90],
])('a photo of 400 x 100 pixels with the orientation %i is not stretched', async (...row) => {
  const [orientation, width, height] = row;
  expect(sizeOf(await pdfWith(jpegOf(orientation)))).toEqual({ width, height });
});

test.each([
  ['CMYK', 4, 8],
  ['two channels', 2, 8],
  ['12 bits', 3, 12],
])('a photo of %s is not drawn', async (_, channels, bits) => {
  expect((await pdfWith(jpegOf(1, channels, bits))).includes('/Subtype /Image')).toBe(false);
});
