import { expect, test } from '@jest/globals';
import { responseText } from '../../src/deliverer/response-text.ts';

const bytes = (text: string) => Buffer.from(text);
const replaced = '\ufffd';

test.each<[string, Buffer, string | null]>([
  ['nothing', bytes(''), null],
  ['a text', bytes('signature expired'), 'signature expired'],
  ['tabs and lines', bytes('a\tb\r\nc\nd'), 'a\tb\nc\nd'],
  ['HTML', bytes('<script>alert(1)</script>'), '<script>alert(1)</script>'],
  ['NUL bytes', Buffer.from([0x61, 0, 0x62]), `a${replaced}b`],
  ['escapes of a terminal', bytes('\x1b[2J\x9b\x07\r'), `${replaced}[2J${replaced.repeat(3)}`],
  ['invalid UTF-8', Buffer.from([0xff, 0x61, 0xe2, 0x82]), `${replaced}a${replaced}`],
  ['1 KiB', bytes('a'.repeat(1024)), 'a'.repeat(1024)],
  ['more than 1 KiB', bytes('a'.repeat(1025)), 'a'.repeat(1024)],
  ['a character across the end', bytes(`${'a'.repeat(1022)}€€`), 'a'.repeat(1022)],
  ['a whole character at the end', bytes(`${'a'.repeat(1021)}€€`), `${'a'.repeat(1021)}€`],
  ['a surrogate pair across the end', bytes(`${'a'.repeat(1021)}😀`), 'a'.repeat(1021)],
  ['1 KiB that is replaced', Buffer.alloc(1024, 0xff), replaced.repeat(341)],
])('%s', (_, body, text) => {
  expect(responseText(body)).toBe(text);
});
