import { expect, test } from '@jest/globals';
import { requireAdministrators } from '../src/access/administrators.ts';
import { requireName } from '../src/fields.ts';

const rejected = (message: string) =>
  expect.objectContaining({ kind: 'VALIDATION', message: expect.stringContaining(message) });
const name = (text: string) => requireName(text, { min: 1, max: 200 });

test.each([
  'a\nb',
  'a\r\nb',
  'a\u001b[2Jb',
  'a\u0000b',
  'a\u007fb',
  'a\u0085b',
  'a\u009b31mb',
  'a\u2028b',
  'a\u202eb',
  'a\u2066b',
])('the name %j is rejected', (text) => {
  expect(() => name(text)).toThrow(rejected('control characters'));
});

test.each(['', '   ', 'n'.repeat(201)])('the length of the name %j is rejected', (text) => {
  expect(() => name(text)).toThrow(rejected('expected 1 to 200 characters'));
});

test.each([
  'Universitätsklinikum Köln – Nord',
  'St. Mary\'s & Sons, "West"',
  'מרכז רפואי',
  'مستشفى',
  '臓器センター',
  'می‌خواهم',
  '👩‍⚕️ Clinic',
  'n'.repeat(200),
])('the honest name %j is stored as it is', (text) => {
  expect(name(text)).toBe(text);
});

test.each([
  'Clinic: ada@clinic.example, bob@clinic.example;',
  'undisclosed:;',
  'ada@clinic.example, bob@clinic.example',
  'ada@clinic.example;bob@clinic.example',
  'ada@clinic.example bob@clinic.example',
  'Ada <ada@clinic.example>',
  '<ada@clinic.example>',
  'ada(comment)@clinic.example',
  'ada@clinic.example(comment)',
  '"ada lovelace"@clinic.example',
  '"a\\"b"@clinic.example',
  'ada@clinic.example\n',
  'ada\r\nBcc: bob@clinic.example',
  'ada\u0000@clinic.example',
  'ada@clinic\u001b.example',
  'ada@clinic\u00ad.example',
  'ada@[192.0.2.1]',
  'ada@192.0.2.1',
  'ada@0x7f.1',
  'ada@clinic..example',
  'ada@.example',
  'ada@-clinic.example',
  'ada@clinic.example.',
  'ada@clinic_b.example',
  'ada@clinic%2eexample',
  '.ada@clinic.example',
  'ada..b@clinic.example',
  'ada',
  '@clinic.example',
  'ada@',
  'ada@bob@clinic.example',
  `${'a'.repeat(65)}@clinic.example`,
  `ada@${'a'.repeat(64)}.example`,
])('the administrator %j is rejected', (address) => {
  const wrong = rejected('expected one e-mail address');
  expect(() => requireAdministrators(['a@b.example', address])).toThrow(wrong);
});

test.each(['müller@example.org', '管理@example.org', 'müller@müller.example'])(
  'the administrator %j, whom a mail server may not reach, is rejected with the reason',
  (address) => {
    expect(() => requireAdministrators([address])).toThrow(rejected('use an address in ASCII'));
  },
);

test.each([
  ['ada@clinic.example', 'ada@clinic.example'],
  ['Ada.Lovelace+alerts@Clinic.Example', 'Ada.Lovelace+alerts@clinic.example'],
  ["o'neill_b-c@sub.clinic-7.example", "o'neill_b-c@sub.clinic-7.example"],
  ['root@mailhost', 'root@mailhost'],
  ['ada@müller.example', 'ada@xn--mller-kva.example'],
  ['ada@臓器.example', 'ada@xn--m7r532h.example'],
])('the honest administrator %j is stored as %j', (address, stored) => {
  expect(requireAdministrators([address, address])).toEqual([stored]);
});
