import { describe, expect, test } from '@jest/globals';
import { at, ndjson, rejectionOf } from './readings-files.ts';

const reading = { at: at(0), value: 4.5 };
const time = '"time":"2026-01-15T09:30:00Z"';
const deep = (levels: number) =>
  `{${time},"value":4.5,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;

describe('an NDJSON file is read', () => {
  test.each([
    ['with a blank last line', `{${time},"value":4.5}\n\n`],
    ['with CRLF', `{${time},"value":4.5}\r\n`],
    ['without a last line break', `{${time},"value":4.5}`],
    ['with a byte order mark', `\uFEFF{${time},"value":4.5}\n`],
    ['with further members', `{"value":4.5,"probe":{"value":"=1+1"},${time}}\n`],
    ['with a nested object 5,000 levels deep', deep(5000)],
    ['with __proto__', `{"__proto__":{"value":9},"constructor":1,"value":4.5,${time}}\n`],
    ['with a member twice, of which the last counts', `{"value":1,${time},"value":4.5}\n`],
    ['with an exponent, which JSON writers may use', `{${time},"value":45e-1}\n`],
  ])('%s', (_, text) => expect(ndjson(text)).toEqual([reading]));

  test('without a change of the prototype of objects', () => {
    ndjson(`{"__proto__":{"polluted":true},${time},"value":1}`);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a line of NDJSON is rejected with its number', () => {
  test.each([
    'null',
    '[]',
    '1',
    '"text"',
    '{',
    `{${time}}`,
    '{"value":4.5}',
    `{${time},"value":"4.5"}`,
    `{${time},"value":null}`,
    `{${time},"value":NaN}`,
    `{${time},"value":Infinity}`,
    `{${time},"value":0x1F}`,
    `{${time},"value":+1}`,
    `{${time},"value":=1+1}`,
    '{"time":1768469400,"value":4.5}',
    `{"__proto__":{${time},"value":4.5}}`,
    `{${time},"value":4.5}{${time},"value":4.5}`,
  ])('%s', (line) => {
    const text = `{"time":"2026-01-15T09:29:00Z","value":1}\n\n${line}\n`;
    expect(rejectionOf(() => ndjson(text))).toMatchObject({
      loc: ['readings'],
      input: line.slice(0, 40),
      ctx: { error: expect.stringContaining('line 3: expected an object such as {"time": ') },
    });
  });
});
