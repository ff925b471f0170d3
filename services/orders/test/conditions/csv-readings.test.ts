import { describe, expect, test } from '@jest/globals';
import { at, csv, rejectionOf } from './readings-files.ts';

const reading = { at: at(0), value: 4.5 };
const time = '2026-01-15T09:30:00Z';

describe('a CSV file is read', () => {
  test.each([
    ['with commas', `time,value\n${time},4.5\n`],
    ['with semicolons', `time;value\n${time};4.5\n`],
    ['with CRLF', `time,value\r\n${time},4.5\r\n`],
    ['without a last line break', `time,value\n${time},4.5`],
    ['with empty lines', `\ntime,value\n\n${time},4.5\n\n`],
    ['with a byte order mark', `\uFEFFtime,value\n${time},4.5\n`],
    ['with its columns in the other order', `value,time\n4.5,${time}\n`],
    ['with further columns', `no,time,"note; free",value\n1,${time},"=1+1, ""cold""\n",4.5\n`],
    ['with commas inside of semicolons', `"a,b";value;time\n1,2;4.5;${time}\n`],
    ['with quoted fields', `"time","value"\n"${time}","4.5"\n`],
  ])('%s', (_, text) => expect(csv(text)).toEqual([reading]));
});

describe('a CSV file is rejected', () => {
  const header = 'expected a header with the columns time and value, separated by a comma or';
  test.each([
    ['without a header', `${time},4.5\n`, header],
    ['without the column value', `time,celsius\n${time},4.5\n`, header],
    ['with tabs', `time\tvalue\n${time}\t4.5\n`, 'the separator is a tab. The first line is'],
    ['with a quote in the header that is not closed', `"time,value\n${time},4.5\n`, header],
    ['empty', '', `${header} a semicolon; only these small letters count. The first line is ""`],
    [
      'with other names',
      `\n\uFEFFDate/Time;Temp\r\n${time};4.5\n`,
      'only these small letters count. The first line is "Date/Time;Temp"',
    ],
    ['with capitals', `Time,Value\n${time},4.5\n`, 'The first line is "Time,Value"'],
    ['with a line sep=', `sep=;\ntime;value\n${time};4.5\n`, 'The first line is "sep=;"'],
    ['with a long line', `${'x'.repeat(500)}\n`, `The first line is "${'x'.repeat(40)}"`],
    ['with a column twice', `time,value,value\n${time},4,5\n`, 'names time or value twice'],
    ['with the time twice', `time,time,value\n${time},4,5\n`, 'names time or value twice'],
    ['with the header alone', 'time,value\n', 'no reading; send at least 1'],
    ['with a field more', `time,value\n${time},4,5\n`, 'line 2: expected as many fields as'],
    ['with a field less', `time,value\n${time}\n`, 'line 2: expected as many fields as'],
    ['with another separator than the header', `time,value\n${time};4\n`, 'line 2: expected as'],
    ['with text after a quote', `time,value\n${time},"4"5\n`, 'line 2: quote a complete field'],
    ['with a quote inside', `time,value\n${time},4"5\n`, 'line 2: quote a complete field'],
    ['with an open quote', `time,value\n${time},"4.5\n`, 'quote a complete field'],
  ])('%s', (_, text, reason) => {
    expect(rejectionOf(() => csv(text))).toMatchObject({
      loc: ['readings'],
      ctx: { error: expect.stringContaining(reason) },
    });
  });
});

test('a line number counts the line breaks inside of quotes and the empty lines', () => {
  const text = `time,value,note\n${time},4.5,"a\nb"\n\n${at(1)},x,\n`;
  expect(rejectionOf(() => csv(text))).toMatchObject({
    input: 'x',
    ctx: { error: 'line 5: expected a decimal number such as -80 or 4.5' },
  });
});

test('a row over several lines has at most 16,384 bytes', () => {
  const others = `${time}4.5`.length;
  const row = (bytes: number) => {
    const note = 'x\n'.repeat(bytes).slice(0, bytes - others);
    return `time,value,note\n${time},4.5,"${note}"\n`;
  };
  expect(csv(row(16_384))).toEqual([reading]);
  expect(rejectionOf(() => csv(row(17_000)))).toMatchObject({
    ctx: { error: expect.stringContaining('more than 16384 bytes in one row; close each quote') },
  });
});
