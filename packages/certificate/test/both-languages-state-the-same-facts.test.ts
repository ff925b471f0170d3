import { expect, test } from '@jest/globals';
import { certificateHtml, certificatePdf } from '../src/index.ts';
import { de } from '../src/texts/de.ts';
import { en } from '../src/texts/en.ts';
import { pdfText, withoutSpace } from './pdf-text.ts';
import { artifactHash, readingsHash } from './samples/a-history.ts';
import { origin, proof, provenInput, treeSize, verifyUrl, vkey } from './samples/an-input.ts';
import { orderId } from './samples/an-order.ts';

/** Facts that both languages write in the same way. */
const facts = [
  ...[orderId, 'KH-2026-004711', 'MedTrans GmbH', 'Дмитрий Кузнецов', 'Rampe 3', 'ROOM_INSPECTED'],
  ...['Klinikum Łódź, ul. Żeromskiego 113, 90-549 Łódź, PL', '51.7687, 19.4569'],
  ...['Ιατρείο Αθηνών, Οδός Ερμού 12, 105 63 Αθήνα, GR', 'Αικατερίνη Παπαδοπούλου'],
  ...['Plasma', 'Erythrozytenkonzentrat', 'S-1001', 'S-1002', 'S-9999', 'Kühlung ausgefallen'],
  ...['TL-20 / 0815', 'DKD-K-4711', '12 min 30 s', '181', '48213', artifactHash, readingsHash],
  ...[origin, String(treeSize), vkey, verifyUrl, ...proof.entries.map((one) => one.event_hash)],
];

/** Facts that each language writes in its own way: in English, in German. */
const translated = [
  ['2026-11-27, 09:30 UTC', '27.11.2026, 09:30 UTC'],
  ['2026-11-27, 12:55:07 UTC', '27.11.2026, 12:55:07 UTC'],
  ['3.1 °C / 5.02 °C / 9.4 °C', '3,1 °C / 5,02 °C / 9,4 °C'],
  ['2 °C to 8 °C', '2 °C bis 8 °C'],
  ['2025-10-01, expired', '01.10.2025, abgelaufen'],
  ['Warning: the calibration of the device', 'Warnung: Die Kalibrierung des Geräts'],
  ['1 excursion, together 12 min 30 s', '1 Abweichung, zusammen 12 min 30 s'],
  ['above the maximum', 'über dem Maximum'],
  ['Person: erased on 2027-01-08', 'Person: gelöscht am 08.01.2027'],
  ['Missing seals: S-1002', 'Fehlende Siegel: S-1002'],
  ['Scanned seals: 2, all as applied', 'Gescannte Siegel: 2, alle wie angebracht'],
  [
    'Covers 17 entries; complete as of 2027-01-08',
    'Umfasst 17 Einträge; vollständig mit Stand 08.01',
  ],
  [en.verdict.proven, de.verdict.proven],
  ...(['truth', 'later', 'completeness', 'key', 'file'] as const).map((name) => [
    en.limits[name],
    de.limits[name],
  ]),
] as unknown as readonly (readonly [string, string])[];

const languages = ['en', 'de'] as const;

test.each(languages)('HTML and PDF state every fact in the language %s', async (language) => {
  const input = { ...provenInput, language };
  const own = translated.map((forms) => forms[languages.indexOf(language)]!);
  for (const text of [certificateHtml(input), await pdfText(await certificatePdf(input))]) {
    const read = withoutSpace(text);
    expect([...facts, ...own].filter((fact) => !read.includes(withoutSpace(fact)))).toEqual([]);
  }
});

test('HTML and PDF do not state notes, prices and contacts of the order', async () => {
  const html = certificateHtml(provenInput);
  const text = await pdfText(await certificatePdf(provenInput));
  for (const form of [html, text]) {
    expect(form).not.toContain('The notes of an order');
    expect(form).not.toContain('129.9');
  }
});
