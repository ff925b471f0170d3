/** Texts that partners give, as the pages show them. */
import { expect, test } from '@jest/globals';
import { visibleText } from '../../../console/src/parts/visible-text.ts';

test.each([
  ['   ', '[U+0020][U+0020][U+0020]'],
  ['\u200B', '[U+200B]'],
  ['\u3164', '[U+3164]'],
  ['A-1 ', 'A-1[U+0020]'],
  ['\u00A0A-1', '[U+00A0]A-1'],
  ['soft\u00ADhyphen', 'soft[U+00AD]hyphen'],
  ['\u202Efdp.exe\u202C', '[U+202E]fdp.exe[U+202C]'],
  ['\u2066A\u2069', '[U+2066]A[U+2069]'],
  ['x\u0007y', 'x[U+0007]y'],
  ['a\u200Db', 'a[U+200D]b'],
  ['A\u{E0041}B', 'A[U+E0041]B'],
  ['מרפאה\u202E', 'מרפאה[U+202E]'],
])('an invisible character is marked in %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test.each([
  'Klinikum Süd, Haus 3',
  'line one\r\nline two\tend',
  'two  blanks',
  'e\u0301',
  'می\u200Cخواهم',
  'שלום\u200F!',
  'क्\u200Dष',
  '👨\u200D👩\u200D👧 ❤\uFE0F 1\uFE0F\u20E3 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
])('an honest text stays as it is: %j', (text) => {
  expect(visibleText(text)).toBe(text);
});
