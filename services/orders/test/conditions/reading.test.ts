import { describe, expect, test } from '@jest/globals';
import { at, csv, ndjson, rejectionOf } from './readings-files.ts';

const file = (...rows: readonly string[]) => `time,value\n${rows.join('\n')}\n`;
const readValue = (text: string) => csv(file(`${at(0)},${text}`))[0]!.value;
const readTime = (text: string) => csv(file(`${text},1`))[0]!.at;

describe('a value is a decimal number from -459.67 to 1000', () => {
  test.each([
    ['-459.67', -459.67],
    ['1000', 1000],
    ['1000.000', 1000],
    ['-80', -80],
    ['4.5', 4.5],
    ['004.5', 4.5],
    ['0', 0],
    ['-0.0', 0],
    ['4.300000190734863', 4.300000190734863],
  ])('%s', (text, value) => expect(readValue(text)).toBe(value));

  test.each([
    '',
    ' ',
    ' 4',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e1',
    '0x1F',
    '0b1',
    '+1',
    '=1+1',
    '@x',
    '--1',
    '.5',
    '5.',
    '1_000',
    '4.5 C',
    '٤',
    'null',
  ])('%j is no number', (text) => {
    expect(rejectionOf(() => readValue(text))).toMatchObject({
      input: text,
      ctx: { error: 'line 2: expected a decimal number such as -80 or 4.5' },
    });
  });

  test.each(['-459.68', '1000.01', '9'.repeat(400)])('%s is out of range', (text) => {
    expect(rejectionOf(() => readValue(text))).toMatchObject({
      ctx: { error: 'line 2: expected a value from -459.67 to 1000' },
    });
  });

  test('1e999 in JSON is out of range', () => {
    expect(rejectionOf(() => ndjson(`{"time":"${at(0)}","value":1e999}`))).toMatchObject({
      ctx: { error: 'line 1: expected a value from -459.67 to 1000' },
    });
  });
});

describe('a time is RFC 3339 and becomes UTC with milliseconds', () => {
  test.each([
    ['2026-01-15T09:30:00.123456+00:00', '2026-01-15T09:30:00.123Z'],
    ['2026-01-15T09:30:00.999999999Z', '2026-01-15T09:30:00.999Z'],
    ['2026-01-15T09:30:00Z', '2026-01-15T09:30:00.000Z'],
    ['2026-01-15T09:30:00.5Z', '2026-01-15T09:30:00.500Z'],
    ['2026-01-15T09:30:00.123Z', '2026-01-15T09:30:00.123Z'],
    ['2026-01-15T09:30:00.123+05:30', '2026-01-15T04:00:00.123Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-01-15T09:30:00-00:00', '2026-01-15T09:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s', (text, utc) => expect(readTime(text)).toBe(utc));

  test.each([
    '',
    '2026-01-15',
    '2026-01-15T09:30Z',
    '2026-01-15T09:30:00',
    '2026-01-15 09:30:00Z',
    '2026-01-15T09:30:00.1234567890Z',
    '2026-01-15T09:30:00+0100',
    '1768469400',
    '=NOW()',
  ])('%j has another form', (text) => {
    expect(rejectionOf(() => readTime(text))).toMatchObject({
      input: text,
      ctx: { error: expect.stringContaining('line 2: expected a time with an offset') },
    });
  });

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00+01:00',
    '2026-13-01T00:00:00Z',
    '2026-01-15T24:00:00Z',
    '2026-01-15T09:30:60Z',
    '2026-01-15T09:30:00+24:00',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])('%s does not exist', (text) => {
    expect(rejectionOf(() => readTime(text))).toMatchObject({
      input: text,
      ctx: { error: expect.stringMatching(/^line 2: .*(?:does not exist|the year in UTC)/) },
    });
  });
});

describe('times increase strictly', () => {
  test('by 1 ms at least', () => {
    expect(csv(file(`${at(0)},1`, `${at(0.001)},2`))).toHaveLength(2);
  });

  test.each([
    ['equal', at(0)],
    ['equal with another offset', '2026-01-15T10:30:00+01:00'],
    ['reversed', at(-0.001)],
  ])('%s times are rejected', (_, second) => {
    expect(rejectionOf(() => csv(file(`${at(0)},1`, `${second},2`)))).toMatchObject({
      input: second,
      ctx: { error: `line 3: the time is not after the one before, ${at(0)}` },
    });
  });
});

describe('an error repeats at most 40 characters', () => {
  test.each([
    ['of a long text', 'x'.repeat(41), 'x'.repeat(40)],
    ['and cuts none in half', `${'x'.repeat(39)}😀😀`, `${'x'.repeat(39)}😀`],
    ['all of a text at the limit', 'x'.repeat(40), 'x'.repeat(40)],
  ])('%s', (_, text, input) => {
    expect(rejectionOf(() => readValue(text))).toMatchObject({ input });
  });

  test('and no lone surrogate', () => {
    expect(rejectionOf(() => ndjson('{"time":"\\ud800","value":1}'))).toMatchObject({
      input: '\uFFFD',
    });
  });
});
