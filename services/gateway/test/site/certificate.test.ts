import { expect, test } from '@jest/globals';
import encodeQR from 'qr';
import decodeQR from 'qr/decode.js';
import { certificateUrl, certifiedHead, modulesPath } from '../../pages/certificate.ts';

const head = { sequence: 9, hash: 'ab'.repeat(32) };

test('carries the number of entries and the head hash in the fragment of the page', () => {
  const url = certificateUrl('https://api.example.com/verify?x=1#old', head);
  expect(url).toBe(`https://api.example.com/verify#9:${head.hash}`);
  expect(certifiedHead(new URL(url).hash)).toEqual(head);
});

test.each(['', '#', '#main', `#9:${'AB'.repeat(32)}`, `#-1:${head.hash}`, `#9:${head.hash}0`])(
  'ignores the fragment "%s"',
  (fragment) => {
    expect(certifiedHead(fragment)).toBe(null);
  },
);

test('draws the modules of a QR code that a reader decodes', () => {
  const url = certificateUrl('https://api.example.com/verify', head);
  const modules = encodeQR(url, 'raw', { ecc: 'medium', border: 4 });
  const scale = 4;
  const width = modules.length * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of modulesPath(modules).matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let pixel = 0; pixel < scale; pixel++)
        data.fill(0, start + pixel * 4, start + pixel * 4 + 3);
    }
  expect(decodeQR({ width, height: width, data })).toBe(url);
});
