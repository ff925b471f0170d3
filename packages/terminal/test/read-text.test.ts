import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { readTextStream, textOf, UnreadableText } from '../src/index.ts';

const messageOf = (bytes: Uint8Array): string => {
  try {
    return textOf(bytes, 'order.json');
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableText);
    return (error as Error).message;
  }
};

const latin = (text: string) => Buffer.from(text, 'latin1');
const advice = 'Save it with the encoding UTF-8, then execute the command again.';

test.each([
  ['a character of Windows-1252', latin('{\n  "street": "Stra\xdfe 1"\n}'), 'line 2, byte 19'],
  ['the first byte', latin('\xe9'), 'line 1, byte 0'],
  ['the last byte', latin('ok\n\nK\xfc'), 'line 3, byte 5'],
  ['a character that is cut off', Buffer.from('a€').subarray(0, 3), 'line 1, byte 1'],
  ['a surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 'line 1, byte 1'],
  ['a byte behind a byte order mark', latin('\xef\xbb\xbfa\xff'), 'line 1, byte 4'],
])('%s that is not UTF-8 is located', (_, bytes, place) => {
  expect(messageOf(bytes)).toBe(`order.json is not UTF-8: ${place}. ${advice}`);
});

const utf16 = Buffer.from('{"a": 1}', 'utf16le');
test.each([
  ['UTF-16', Buffer.concat([latin('\xff\xfe'), utf16])],
  ['UTF-16', Buffer.concat([latin('\xfe\xff'), Buffer.from(utf16).swap16()])],
  ['UTF-16', utf16],
  ['UTF-16', Buffer.from(utf16).swap16()],
  ['UTF-32', latin('\xff\xfe\0\0{\0\0\0')],
])('%s is named', (name, bytes) => {
  expect(messageOf(bytes)).toBe(`order.json is ${name}, not UTF-8. ${advice}`);
});

test.each([
  ['', ''],
  ['{}', '{}'],
  ['\ufeff{"city": "Köln"}', '{"city": "Köln"}'],
  ['Straße 李 😀 \ufffd \0', 'Straße 李 😀 \ufffd \0'],
])('UTF-8 is read unchanged, without its byte order mark: %j', (text, expected) => {
  expect(textOf(Buffer.from(text), 'x')).toBe(expected);
});

test('characters that lie in two parts of a stream are read, and its size is bounded', async () => {
  const bytes = Buffer.from('Kühlkette');
  const parts = () => Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]);
  expect(await readTextStream(parts(), 'standard input')).toBe('Kühlkette');
  expect(await readTextStream(parts(), 'standard input', bytes.length)).toBe('Kühlkette');
  await expect(readTextStream(parts(), 'standard input', bytes.length - 1)).rejects.toThrow(
    'standard input is larger than 9 bytes.',
  );
});
