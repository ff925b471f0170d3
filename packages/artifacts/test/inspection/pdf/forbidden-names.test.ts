import { expect, test } from '@jest/globals';
import { catalog, inspect, objectStream, stream, written } from './written-pdf.ts';

const forbidden = [
  'AA',
  'EmbeddedFile',
  'Encrypt',
  'ImportData',
  'JS',
  'JavaScript',
  'Launch',
  'RichMedia',
  'SubmitForm',
  'XFA',
];

test.each(forbidden)('a PDF with the name /%s is rejected, wherever it is', (name) => {
  const message = `contains /${name}, which is not permitted`;
  const dictionary = `<</A<</${name} 1>>>>`;
  for (const bytes of [
    written(catalog, dictionary),
    written(catalog, stream('x', `/${name} 1`)),
    written(catalog, objectStream(dictionary)),
    written(catalog, objectStream(dictionary, '')),
    written(catalog, objectStream(dictionary, '/Filter[/FlateDecode]')),
    Buffer.from(`${written(catalog)}trailer<</${name} 1>>%%EOF`),
  ])
    expect(() => inspect(bytes)).toThrow(message);
});

test('names that contain a forbidden name are accepted', () => {
  inspect(written(catalog, `<<${forbidden.map((name) => `/${name}x/x${name} 1`).join('')}>>`));
});

test('a forbidden name in a text, a comment or the content of a page is accepted', () => {
  inspect(written(catalog, '<</Title(/JS \\) (/AA) /XFA)>>%/Launch\n', stream('/JS /AA gs')));
});

test.each(['/J#53', '/#4aS', '/#4A#53', '/A#41', '/Open#41ction', '/Fon#74'])(
  'a PDF that writes letters of a name as numbers (%s) is rejected',
  (name) => {
    expect(() => inspect(written(catalog, `<<${name} 1>>`))).toThrow('writes the letter');
    expect(() => inspect(written(catalog, objectStream(`<<${name} 1>>`)))).toThrow('the letter');
  },
);

test('a font name with an escaped space, as word processors write it, is accepted', () => {
  inspect(written(catalog, '<</BaseFont/Times#20New#20Roman,Bold/A#C3#BC#2F 1>>'));
});
