import { describe, expect, test } from '@jest/globals';
import type { CertificateInput } from '../src/index.ts';
import { certificateHtml, certificatePdf } from '../src/index.ts';
import { pdfText } from './pdf-text.ts';
import { chained, events } from './samples/a-history.ts';
import { inputOf, proof, proofOf, provenInput } from './samples/an-input.ts';
import { orderId } from './samples/an-order.ts';

const tampered = {
  ...proof,
  entries: proof.entries.map((entry, n) => (n === 6 ? { ...entry, gps_lat: 1 } : entry)),
};
const pending = { ...proof, log: null, completeness: null };
const empty = {
  ...pending,
  entries: [],
  count: 0,
  head_hash: proof.genesis.hash,
};

const negative: readonly [name: string, input: CertificateInput, en: string, de: string][] = [
  [
    'a changed entry',
    await inputOf(tampered),
    'Invalid: entry 7 does not fit',
    'Ungültig: Eintrag 7 passt nicht',
  ],
  [
    'a damaged file',
    await inputOf({ ...proof, v: 'other' as never }),
    'Invalid: the proof file is changed, damaged or forged (form).',
    'Ungültig: Die Nachweisdatei ist verändert, beschädigt oder gefälscht (form).',
  ],
  [
    'an unknown signer',
    await inputOf(proof, {}, []),
    'Not proven: only a key that the proof file itself has signed the checkpoint.',
    'Nicht bewiesen: Nur ein Schlüssel aus der Nachweisdatei selbst hat den Checkpoint signiert.',
  ],
  [
    'a pending checkpoint',
    await inputOf(pending),
    'Not proven yet: no checkpoint covers the last entry.',
    'Noch nicht bewiesen: Kein Checkpoint deckt den letzten Eintrag ab.',
  ],
  [
    'an order without entries',
    await inputOf(empty),
    'Not proven: the order has no custody entries',
    'Nicht bewiesen: Der Auftrag hat keine Einträge',
  ],
];

/** Words that only a proven history may have. */
const positive =
  /(?<!what )\bcertificate|(?<!not )\bproven|(?<!kein )vertrauenswürdig|complete as of|signed index states|covers \d|umfasst \d|laut signiertem|vollständig mit|übergabenachweis|(?<!nicht )\bbewiesen/i;

describe.each(negative)('the certificate of %s', (_, input, en, de) => {
  test('states the negative verdict and has no positive word', async () => {
    for (const [language, title] of [
      ['en', en],
      ['de', de],
    ] as const) {
      const inLanguage = { ...input, language };
      const pdf = await pdfText(await certificatePdf(inLanguage));
      const html = certificateHtml(inLanguage).replace(/<style>.*<\/style>/s, '');
      for (const text of [html, pdf]) {
        expect(text.replace(/\s+/g, ' ')).toContain(title);
        expect(text).not.toMatch(positive);
      }
    }
  });
});

test('a proven history has a positive verdict', () => {
  expect(certificateHtml(provenInput)).toMatch(positive);
  expect(certificateHtml({ ...provenInput, language: 'de' })).toMatch(positive);
});

test('a proven history without a completeness proof says that entries may be missing', async () => {
  const html = certificateHtml(await inputOf(await proofOf(chained(orderId, events), false)));
  expect(html).toContain('Proven: a trusted key signed');
  expect(html).toContain('does not show whether later entries were cut off');
  expect(html).toContain('no completeness proof in the file');
});

test('a history with too few witnesses is not proven', () => {
  const { verdict } = provenInput;
  if (verdict.verdict === 'invalid') throw new Error('expected a proven history');
  const witnesses = { given: 2, quorum: 2, cosigned: [] };
  const html = certificateHtml({
    ...provenInput,
    verdict: { ...verdict, verdict: 'consistent', witnesses },
  });
  expect(html).toContain('Not proven: 0 witnesses cosigned the checkpoint, and 2 must.');
});

test('the proof of another order and the verdict on another proof are rejected', async () => {
  const other = { ...provenInput, order: { id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' } };
  expect(() => certificateHtml(other)).toThrow('pass the proof of this order');
  await expect(certificatePdf(other)).rejects.toThrow('pass the proof of this order');
  const shorter = await proofOf(chained(orderId, events.slice(0, 3)));
  expect(() => certificateHtml({ ...provenInput, proof: shorter })).toThrow('head hash');
});
