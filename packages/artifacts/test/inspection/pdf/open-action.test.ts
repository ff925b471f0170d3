import { expect, test } from '@jest/globals';
import { inspect, objectStream, written } from './written-pdf.ts';

const opening = (action: string) => `<</Type/Catalog/OpenAction ${action}>>`;
const message = 'an /OpenAction that is no jump to a page';
const jumps = [
  '[3 0 R/Fit]',
  '<</S/GoTo/D[3 0 R/XYZ null null 0]>>',
  'null',
  '(chapter)',
  '/first',
];
const others = [
  '<</S/URI/URI(https://example.test)>>',
  '<</S/Named/N/Print>>',
  '<</S/GoToR/F(other.pdf)/D[0/Fit]>>',
  '<</S/GoTo/D[0/Fit]/Next<</S/URI/URI(https://example.test)>>>>',
  '<</S/GoTo/S/URI>>',
  '<</X/S/GoTo/X/S/URI>>',
  '<</S 5 0 R>>',
  '<</D[0/Fit]>>',
  'true',
];

test.each(jumps)('opening a PDF may do %s', (action) => {
  inspect(written(opening(action)));
  inspect(written(opening('2 0 R'), action));
  inspect(written(opening('9 0 R'), objectStream(action)));
  inspect(written('<<>>', objectStream(opening(action))));
});

test.each(others)('opening a PDF may not do %s', (action) => {
  for (const bytes of [
    written(opening(action)),
    written(opening('2 0 R'), action),
    written(opening('9 0 R'), objectStream(action)),
    written('<<>>', objectStream(opening(action))),
    written('<<>>', objectStream(opening('3 0 R')), action),
  ])
    expect(() => inspect(bytes)).toThrow(message);
});

test('a harmless version of an open action does not hide another one', () => {
  const bytes = `${written(opening('2 0 R'), jumps[1]!)}2 0 obj${others[0]}endobj\n%%EOF`;
  expect(() => inspect(Buffer.from(bytes))).toThrow(message);
});

test('an open action may refer to no object, and not to a reference', () => {
  expect(() => inspect(written(opening('2 0 R'), '3 0 R', jumps[0]!))).toThrow(message);
  inspect(written(opening('7 0 R')));
});

test('many open actions are rejected before they take long', () => {
  const catalogs = (count: number) => written(opening('[0/Fit]').repeat(count));
  inspect(catalogs(1000));
  expect(() => inspect(catalogs(100_001))).toThrow(message);
  expect(() => inspect(written('<</OpenAction'.repeat(100_000)))).toThrow(message);
});
