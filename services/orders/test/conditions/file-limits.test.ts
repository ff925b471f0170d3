import { describe, expect, test } from '@jest/globals';
import { readReadings } from '../../src/conditions/read-readings.ts';
import { at, csv, ndjson, rejectionOf } from './readings-files.ts';

const bytesMax = 5_242_880;

/** Returns a CSV file of one reading that a column without meaning fills up to a size. */
const fileOf = (bytes: number): string => {
  const row = `time,value,note\n${at(0)},1,\n`;
  const notes = Math.floor((bytes - row.length) / 1000);
  const more = Array.from({ length: notes }, (_, n) => `${at(n + 1)},1,`.padEnd(999, 'x'));
  return `${row}${more.join('\n')}`.padEnd(bytes, '\n');
};

test('a file has at most 5 MiB', () => {
  expect(Buffer.byteLength(fileOf(bytesMax))).toBe(bytesMax);
  expect(csv(fileOf(bytesMax))).toHaveLength(5243);
  expect(rejectionOf(() => csv(fileOf(bytesMax + 1)))).toMatchObject({
    input: bytesMax + 1,
    ctx: { error: 'at most 5242880 bytes; split the file' },
  });
});

describe('a file has at most 100,000 readings', () => {
  const rowsOf = (count: number, row: (time: string) => string): string =>
    Array.from({ length: count }, (_, n) => row(at(n))).join('\n');

  test.each([
    ['CSV', csv, 'time,value\n', (time: string) => `${time},1`],
    ['NDJSON', ndjson, '', (time: string) => `{"time":"${time}","value":1}`],
  ])('in %s', (_, read, header, row) => {
    expect(read(`${header}${rowsOf(100_000, row)}\n`)).toHaveLength(100_000);
    expect(rejectionOf(() => read(`${header}${rowsOf(100_001, row)}`))).toMatchObject({
      loc: ['readings'],
      ctx: { error: 'at most 100000 readings; split the file' },
    });
  });
});

describe('a line has at most 16,384 bytes', () => {
  test.each([
    ['CSV', csv, `time,value,note\n${at(0)},1,`],
    ['NDJSON', ndjson, `\n{"time":"${at(0)}","value":1}`],
  ])('in %s', (_, read, text) => {
    const start = text.indexOf('\n') + 1;
    expect(read(`${text.padEnd(start + 16_384)}\n`)).toHaveLength(1);
    for (const line of [text.padEnd(start + 16_385), `${text.padEnd(start + 16_383)}\u00fc`])
      expect(rejectionOf(() => read(`${line}\n`))).toMatchObject({
        input: line.slice(start, start + 40),
        ctx: { error: 'line 2: more than 16384 bytes; shorten the line' },
      });
  });
});

test.each(['', '\n', ' \n\n'])('the file %j has no reading', (text) => {
  expect(rejectionOf(() => ndjson(text))).toMatchObject({
    ctx: { error: 'no reading; send at least 1' },
  });
});

describe('a file is UTF-8', () => {
  const file = (note: readonly number[]) =>
    Buffer.concat([
      Buffer.from(`time,value,note\n${at(0)},1,`),
      Buffer.from(note),
      Buffer.from('\n'),
    ]);

  test('with characters of 4 bytes', () => {
    expect(readReadings(file([0xf0, 0x9f, 0x98, 0x80]), 'text/csv')).toHaveLength(1);
  });

  test.each([
    ['Latin-1', [0xfc]],
    ['a lone surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0x80]],
    ['a cut character', [0xf0, 0x9f, 0x98]],
  ])('%s is rejected', (_, note) => {
    for (const mediaType of ['text/csv', 'application/x-ndjson'] as const)
      expect(rejectionOf(() => readReadings(file(note), mediaType))).toMatchObject({
        ctx: { error: 'line 2: not UTF-8; save the file as UTF-8' },
      });
  });

  test('UTF-16 is rejected', () => {
    const bytes = Buffer.from(`\uFEFFtime,value\n${at(0)},1\n`, 'utf16le');
    expect(() => readReadings(bytes, 'text/csv')).toThrow('the file is UTF-16; save it as UTF-8');
  });
});
