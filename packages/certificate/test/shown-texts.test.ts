import { expect, test } from '@jest/globals';
import { certificateHtml, certificatePdf } from '../src/index.ts';
import { decimalText } from '../src/texts/decimal-text.ts';
import { pdfText } from './pdf-text.ts';
import { chained, type Event, events } from './samples/a-history.ts';
import { inputOf, proofOf, provenInput } from './samples/an-input.ts';
import { order, orderId } from './samples/an-order.ts';

const pickupOf = (location: object) => {
  const pickup_location = { ...order.pickup_location, ...location };
  const html = certificateHtml({ ...provenInput, order: { ...order, pickup_location } });
  return /<dt>Pickup<\/dt><dd>([^<]*)</.exec(html)?.[1];
};

test.each([
  ['made of the address', 'ul. Żeromskiego 113, 90-549 Łódź'],
  ['that is absent', null],
])('an address with a label %s is shown once', (_, label) => {
  expect(pickupOf({ label })).toBe('ul. Żeromskiego 113, 90-549 Łódź, PL');
});

test('an address whose first 120 characters are its label is shown once', () => {
  const street = '😀'.repeat(121);
  const shown = (label: string) => pickupOf({ label, street });
  expect(shown('😀'.repeat(120))).toBe(`${street}, 90-549 Łódź, PL`);
  expect(shown('😀'.repeat(119))).toBe(`${'😀'.repeat(119)}, ${street}, 90-549 Łódź, PL`);
});

test.each(['Ward 3', 'ul. Żeromskiego', 'ul. Żeromskiego 113'])(
  'the label %s that the partner gave stands before its address',
  (label) => {
    expect(pickupOf({ label })).toBe(`${label}, ul. Żeromskiego 113, 90-549 Łódź, PL`);
  },
);

const inputWith = async (note: string) => {
  const incident: Event = { ...events[8]!, personal: { note } };
  return inputOf(await proofOf(chained(orderId, [incident])));
};

test('the line breaks of a note are line breaks, in HTML and PDF', async () => {
  const input = await inputWith('Cooling failed.\r\nNew box\nat 11:40\u0007.');
  expect(certificateHtml(input)).toContain('Cooling failed.\nNew box\nat 11:40\\u0007.');
  const text = await pdfText(await certificatePdf(input));
  expect(text).toContain('Cooling failed.\nNew box\nat 11:40\\u0007.');
});

test('a note of a thousand lines has twenty', async () => {
  const html = certificateHtml(await inputWith('x\n'.repeat(1000)));
  expect(html).toContain(`${'x\n'.repeat(19)}x x x`);
});

test.each([
  [1e-7, '0'],
  [-1e-7, '0'],
  [0.000001, '0.000001'],
  [-80, '-80'],
  [100, '100'],
  [4.25, '4.25'],
  [4.300000190734863, '4.3'],
])('the number %d is shown as %s', (value, text) => expect(decimalText(value)).toBe(text));

test('the issuer is the host of the verification page', () => {
  expect(certificateHtml(provenInput)).toContain('Issued by api.example');
  for (const verifyUrl of [null, '/verify'])
    expect(certificateHtml({ ...provenInput, verifyUrl })).not.toContain('Issued by');
});
