import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { catalog, inspect, objectStream, stream, written } from './written-pdf.ts';

const mib = 1024 * 1024;
/** Returns an object stream of that size when decompressed. */
const ofSize = (size: number) => objectStream(`(${'x'.repeat(size - 6)})`);

test('object streams have at most 32 MiB in total when decompressed', () => {
  inspect(written(catalog, ofSize(32 * mib)));
  inspect(written(catalog, ofSize(20 * mib), ofSize(12 * mib)));
  for (const streams of [[ofSize(32 * mib + 1)], [ofSize(20 * mib), ofSize(12 * mib + 1)]])
    expect(() => inspect(written(catalog, ...streams))).toThrow(
      "the PDF's object streams exceed 33554432 bytes when decompressed",
    );
});

test.each([
  '/Filter/ASCIIHexDecode',
  '/Filter[/ASCIIHexDecode/FlateDecode]',
  '/Filter[/FlateDecode/FlateDecode]',
  '/Filter 5 0 R',
  '/Filter/FlateDecode/Filter/ASCIIHexDecode',
  '/Filter/ASCIIHexDecode/Filter/FlateDecode',
  '/Filter/FlateDecode/DecodeParms<</Predictor 12>>',
  '/Filter/FlateDecode/F(other.pdf)',
])('an object stream with %s is rejected', (entries) => {
  expect(() => inspect(written(catalog, objectStream('<</JS 1>>', entries)))).toThrow(
    'a filter other than FlateDecode',
  );
});

test('other streams may have any filter', () => {
  const parameters = '/DecodeParms<</Predictor 12>>';
  for (const entries of ['/Filter[/ASCII85Decode/DCTDecode]', `/Filter 5 0 R/N 3${parameters}`])
    inspect(written(catalog, stream('x', entries)));
});

test('a stream counts as object stream by /First alone', () => {
  const content = deflateSync(Buffer.from('9 0 <</JS 1>>'));
  const body = stream(content, '/N 1/First 4/Filter/FlateDecode');
  expect(() => inspect(written(catalog, body))).toThrow('contains /JS');
});

test('an object stream that cannot be decompressed is rejected', () => {
  const content = deflateSync(Buffer.from('9 0 <</A 1>>'));
  for (const bytes of [content.subarray(0, -5), Buffer.from('x')])
    expect(() => inspect(written(catalog, stream(bytes, '/First 4/Filter/FlateDecode')))).toThrow(
      'cannot be decompressed',
    );
});

test('an object stream without the offset of its objects is rejected', () => {
  for (const entries of ['/Type/ObjStm', '/Type/ObjStm/First 5 0 R/First(x)', '/First[1]/First/A'])
    expect(() => inspect(written(catalog, stream('9 0 <<>>', entries)))).toThrow(
      'without the offset of its objects',
    );
});
