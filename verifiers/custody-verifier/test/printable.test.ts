import { expect, test } from '@jest/globals';
import { printable } from '../src/printable.ts';

test('shows every character that can control a terminal as an escape of JSON', () => {
  const controls = [
    ...Array.from({ length: 0x20 }, (_, n) => n),
    ...Array.from({ length: 0x21 }, (_, n) => 0x7f + n),
    ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
    ...[0x2066, 0x2067, 0x2068, 0x2069, 0xd800, 0xdbff, 0xdc00, 0xdfff],
  ];
  for (const code of controls) {
    const shown = printable(`a${String.fromCharCode(code)}z`);
    expect(shown).toBe(`a\\u${code.toString(16).padStart(4, '0')}z`);
  }
});

test('leaves the value of a JSON document unchanged', () => {
  const value = { 'a\u009b': 'x\u001b[2J\u2028\u202e\ud800\\u0041"\n' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

test('leaves letters of every script, emoji and joiners as they are', () => {
  const text = 'Größe ñ 👩‍⚕️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 臓器 مستشفى ילד नमस्ते می‌خواهم \u00a0\\u001b';
  expect(printable(text)).toBe(text);
});
