import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { pngPicture } from '@pto/testing';
import { extractText } from 'unpdf';
import { certificatePdf } from '../src/index.ts';
import { pdfText, withoutSpace } from './pdf-text.ts';
import { artifactHash, chained, events } from './samples/a-history.ts';
import { inputOf, proof, proofOf, provenInput } from './samples/an-input.ts';
import { order, orderId } from './samples/an-order.ts';

test('gives the same bytes for the same input', async () => {
  const [first, second] = [
    await certificatePdf(provenInput),
    await certificatePdf(structuredClone(provenInput)),
  ];
  expect(Buffer.from(first).equals(second)).toBe(true);
});

test('gives the same bytes whatever certificates the process made before', () => {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const hashes = [['de'], ['en', 'de']].map((languages) => {
    const program = `
      const { certificatePdf } = await import('../src/index.ts');
      const { provenInput } = await import('./samples/an-input.ts');
      const { hash } = await import('node:crypto');
      let last;
      for (const language of ${JSON.stringify(languages)})
        last = hash('sha256', await certificatePdf({ ...provenInput, language }));
      process.stdout.write(last);`;
    const args = ['--input-type=module', '--eval', program];
    return execFileSync(process.execPath, args, { cwd: here, encoding: 'utf8' });
  });
  expect(hashes[1]).toBe(hashes[0]);
});

test('gives the same bytes while another certificate is made', async () => {
  const alone = await certificatePdf(provenInput);
  const german = { ...provenInput, language: 'de' } as const;
  const [, beside] = await Promise.all([certificatePdf(german), certificatePdf(provenInput)]);
  expect(Buffer.from(alone).equals(beside)).toBe(true);
});

test('has the time of the last entry as its date', async () => {
  const bytes = Buffer.from(await certificatePdf(provenInput)).toString('latin1');
  expect(bytes).toContain('(D:20270108100000Z)');
  expect(new Set(bytes.match(/\(D:\d+Z\)/g))).toEqual(new Set(['(D:20270108100000Z)']));
});

const textWith = async (name: string) =>
  pdfText(await certificatePdf({ ...provenInput, order: { ...order, external_id: name } }));

test('shows a mark for characters that its fonts lack, and names their code points', async () => {
  const text = await textWith('דוד-7 😀');
  expect(text).toContain('External ID \ufffd\ufffd\ufffd-7 \ufffd');
  expect(text).toContain('\ufffd stands for a character that the fonts of this file do not have.');
  expect(text).toContain('\ufffd\ufffd\ufffd-7 \ufffd: U+05D3 U+05D5 U+05D3 U+1F600');
});

test('shows Latin, Greek and Cyrillic letters with diacritics without a mark', async () => {
  const name = 'Łódź ő ș Ə Ǿ Ạ ΰ Ἀθῆναι Ќ ў Ѣ';
  const input = { ...provenInput, order: { ...order, external_id: name } };
  const text = await pdfText(await certificatePdf(input));
  expect(text).toContain(name);
  expect(text).not.toContain('\ufffd');
});

test.each([
  ['signs of orders and loggers', '≤ −20 °C ≥ ≈ ≠ < > = ± × ÷ ° µ ‰ % № ™ € ½ ₂ ² ∞ √ ∑ ∆ Ω ℃ ℉'],
  ['arrows, marks and bullets', '→ ← ↑ ↓ ⇒ ⇄ ✓ ✔ ✗ ☐ ☑ ☒ • ■ ▲ ● ★ ⚠ … – — “ ” „ « » ‹ ›'],
  ['Chinese and Japanese', '李小龙 張偉 北京市 佐藤あゆみ アキラ 「薬」、。'],
  ['Korean', '김민준 이서연 서울'],
])('shows %s without a mark', async (_, characters) => {
  const text = await textWith(characters);
  // one glyph is both micro signs
  const read = (shown: string) => withoutSpace(shown.normalize('NFKC'));
  expect(read(text)).toContain(read(characters));
  expect(text).not.toContain('\ufffd');
});

test('shows Arabic letters in their joined forms', async () => {
  const text = await textWith('محمد بن علي 李 and more');
  expect(text).not.toContain('\ufffd');
  // the text is stored in the order of display
  expect([...text].filter((one) => /\p{Script=Arabic}/u.test(one)).length).toBeGreaterThan(8);
  expect(text).toMatch(/\p{Script=Arabic} 李 and more/u);
});

test('is tagged PDF/A-3a in its language, with the proof file inside', async () => {
  const bytes = Buffer.from(await certificatePdf({ ...provenInput, language: 'de' }));
  const text = bytes.toString('latin1');
  for (const part of [
    ...['/Lang (de)', '/MarkInfo', '/StructTreeRoot', '/OutputIntents', '/AFRelationship /Source'],
    ...['<pdfaid:part>3</pdfaid:part>', '<pdfaid:conformance>A</pdfaid:conformance>'],
    ...['/S /H1', '/S /H2', '/S /Table', '/S /TH', '/S /Figure', '/S /LBody'],
    `(custody-proof-${orderId}.json)`,
  ])
    expect(text).toContain(part);
  const attached = Buffer.from(JSON.stringify(provenInput.proof));
  expect(bytes.includes(attached)).toBe(true);
  expect(JSON.parse(attached.toString())).toEqual(proof);
});

test('has no markup of a title or an id in its metadata', async () => {
  const input = await inputOf({ ...proof, v: 'other' as never });
  const odd = { ...input, order: { ...order, id: '<a>&' } };
  const bytes = Buffer.from(await certificatePdf(odd)).toString('latin1');
  expect(bytes).toContain('rdf:Description');
  const xmp = /<x:xmpmeta.*<\/x:xmpmeta>/s.exec(bytes)![0];
  expect(xmp).not.toMatch(/<a>|&/);
  expect(bytes).toContain('(custody-proof-_a__.json)');
});

describe('a picture of a handover', () => {
  const withPicture = (content: Uint8Array) =>
    certificatePdf({ ...provenInput, pictures: [{ sha256: artifactHash, content }] });
  const [plain, png] = [certificatePdf(provenInput), withPicture(pngPicture(5))];

  test('is drawn beside its hash', async () => {
    const [without, with_] = [Buffer.from(await plain), Buffer.from(await png)];
    expect(without.includes('/Subtype /Image')).toBe(false);
    expect(with_.includes('/Subtype /Image')).toBe(true);
    expect(await pdfText(with_)).toContain('Entry 7: Pickup, signature');
  });

  test('that cannot be drawn is named by its hash', async () => {
    const bytes = Buffer.from(await withPicture(Buffer.from('%PDF-1.7')));
    expect(bytes.includes('/Subtype /Image')).toBe(false);
    expect(withoutSpace(await pdfText(bytes))).toContain(`SHA-256${artifactHash}`);
  });

  test('of another handover is not drawn', async () => {
    const pictures = [{ sha256: 'ff'.repeat(32), content: pngPicture(5) }];
    const bytes = Buffer.from(await certificatePdf({ ...provenInput, pictures }));
    expect(bytes.equals(Buffer.from(await plain))).toBe(true);
  });
});

test('a heading stays on the page of the first row of its table', async () => {
  const pages = async (lines: number) => {
    const entries = chained(orderId, [{ ...events[8]!, personal: { note: 'x\n'.repeat(lines) } }]);
    const input = await inputOf(await proofOf(entries), { verifyUrl: null });
    const { text } = await extractText(new Uint8Array(await certificatePdf(input)));
    return text.map((page) => [page.includes('Incidents'), /Incident reported\s+x\s/.test(page)]);
  };
  for (const lines of [5, 9]) {
    const found = await pages(lines);
    expect(found.flat().filter(Boolean)).toHaveLength(2);
    for (const [hasHeading, hasRow] of found) expect(hasHeading).toBe(hasRow);
  }
});

test('continues a row that is longer than a page on the next page', async () => {
  const note = Array.from({ length: 200 }, (_, n) => `word-${n}`).join(' ');
  const fields = { reference: note, place: note, temperature: note };
  const at = '2026-11-27T09:30:00.000Z';
  const long = { internalType: 'ORDER_UPDATED', at, payload: { ...fields, fields: [note] } };
  const driven = {
    internalType: 'DRIVER_ASSIGNED',
    at,
    payload: fields,
    personal: { driver: note },
  };
  const entries = chained(orderId, [long, driven]);
  const input = await inputOf(await proofOf(entries));
  const text = withoutSpace(await pdfText(await certificatePdf(input)));
  // the driver is shown among the parties, too
  expect(text.split('word-150').length - 1).toBe(8);
  expect(text).toContain(entries[1]!.event_hash);
});

test('states the proof and the address of the QR code', async () => {
  const text = withoutSpace(await pdfText(await certificatePdf(provenInput)));
  for (const fact of [
    proof.head_hash,
    proof.log!.origin,
    proof.keys[0]!.vkey,
    provenInput.verifyUrl,
  ])
    expect(text).toContain(fact);
});
