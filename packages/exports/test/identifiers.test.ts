import { expect, test } from '@jest/globals';
import { digestUri, sealUri, uuid5 } from '../src/identifiers.ts';

test('a UUID of version 5 is that of the example of RFC 9562', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  expect(uuid5(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
});

test('a digest is named as in the example of RFC 6920', () => {
  const helloWorld = '7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069';
  expect(digestUri(helloWorld)).toBe('ni:///sha-256;f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk');
});

test('a name with a lone surrogate has a URI, too', () => {
  expect(sealUri('\ud800/1')).toBe('urn:pto:seal:%EF%BF%BD%2F1');
});
