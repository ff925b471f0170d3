import { expect, test } from '@jest/globals';
import { catalog, inspect, stream, written } from './written-pdf.ts';

const pdf = written(catalog, stream('BT (a) Tj ET'));

test('a PDF begins with its header and ends with %%EOF', () => {
  inspect(pdf);
  inspect(Buffer.concat([pdf, Buffer.from('\r\n\0 ')]));
  inspect(Buffer.from(`${pdf}`.replace('%PDF-1.7', '%PDF-2.0')));
  expect(() => inspect(Buffer.concat([Buffer.from('\n'), pdf]))).toThrow('not a PDF');
  expect(() => inspect(Buffer.concat([pdf, Buffer.from('x')]))).toThrow('does not end with %%EOF');
  expect(() => inspect(Buffer.from('%PDF-1.7\n%%EOF'))).toThrow('has no objects');
});

test.each([
  ['stream', stream('1 0 obj<</JS(x)>>endobj')],
  ['stream that begins with a comment', stream('1 0 %\nobj<</JS(x)>>endobj')],
  ['stream after a long comment', stream(`1 0 %${'x'.repeat(500)}\n obj<</JS(x)>>endobj`)],
  ['text', '<</Title(1 0 obj<</JS(x)>>endobj)>>'],
  ['text without a space', '<</Title(1 0obj<</JS(x)>>endobj)>>'],
  ['comment', '<<>> % 1 0 obj<</JS(x)>>endobj\n'],
])('an object that hides in a %s is rejected', (_, body) => {
  expect(() => inspect(written(catalog, body))).toThrow('an object inside of a stream, string or');
});

test('a trailer that hides in a text or stream is rejected', () => {
  for (const hidden of ['trailer<</Encrypt 1 0 R>>', 'trailer \0 %x\n<</Encrypt 1 0 R>>'])
    for (const body of [`(${hidden})`, stream(hidden)])
      expect(() => inspect(written(catalog, body))).toThrow(
        'inside of a stream, string or comment',
      );
});

test('texts and pages with the words of the file format are accepted', () => {
  const words = 'trailer 7, trailer (obj) obj 1 0 object, 5 obj, endobj';
  inspect(written(catalog, `<</Title(${words})>>`, stream(words)));
});

test.each([
  ['a stream inside of a dictionary', '<</A<<>>stream\n/JS (x) endstream >>'],
  ['a stream inside of an array', '[<<>>stream\n/JS (x) endstream]'],
  ['a stream without a dictionary', 'stream\n/JS (x) endstream'],
])('%s is rejected', (_, body) => {
  expect(() => inspect(written(catalog, body))).toThrow('a stream without a dictionary');
});

test.each([
  ['an unbalanced bracket', '>>', 'unbalanced bracket'],
  ['a text without end', '(x', 'ends inside of a string'],
  ['a hexadecimal text without end', '<41', 'ends inside of a string'],
  ['a stream without end', '<<>>stream\n', 'ends inside of a stream'],
])('%s is rejected', (_, body, message) => {
  const bytes = Buffer.from(`%PDF-1.7\n1 0 obj ${body} %%EOF`);
  expect(() => inspect(bytes)).toThrow(message);
});

test('the time of many streams in one object grows linearly', () => {
  const start = performance.now();
  inspect(written(catalog, '<<>>stream endstream '.repeat(100_000)));
  expect(performance.now() - start).toBeLessThan(10_000);
});
