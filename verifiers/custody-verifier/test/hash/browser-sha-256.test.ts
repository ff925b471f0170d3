import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as browser from '../../src/hash/sha256.ts';
import * as node from '../../src/hash/sha256-node.ts';

test('over every length up to ten blocks, and some long ones', () => {
  const lengths = [...Array(641).keys(), 4095, 4096, 65_537, 1_000_003];
  for (const length of lengths) {
    const bytes = new Uint8Array(randomBytes(length));
    const known = createHash('sha256').update(bytes).digest('hex');
    for (const { sha256 } of [browser, node])
      expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(known);
  }
});

test('over text, in its UTF-8', () => {
  for (const text of ['', 'a', 'Zoë 😀 €', '\u0000\u007f\u0080', 'x'.repeat(1000)])
    expect(browser.sha256Hex(text)).toBe(node.sha256Hex(text));
  expect(browser.sha256Hex('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
