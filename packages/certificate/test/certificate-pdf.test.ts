import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { certificatePdf } from '../src/index.ts';
import { pdfText, withoutSpace } from './pdf-text.ts';
import { chained } from './samples/a-history.ts';
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
  expect(bytes.match(/\(D:\d+Z\)/g)).toHaveLength(1);
});

test('shows a mark for characters that its font lacks, and explains it', async () => {
  const input = { ...provenInput, order: { ...order, external_id: '北京-7 😀' } };
  const text = await pdfText(await certificatePdf(input));
  expect(text).toContain('External ID \ufffd\ufffd-7 \ufffd');
  expect(text).toContain('\ufffd stands for a character that the font of this file does not have.');
});

test('shows Latin, Greek and Cyrillic letters with diacritics without a mark', async () => {
  const name = 'Łódź ő ș Ə Ǿ Ạ ΰ Ἀθῆναι Ќ ў Ѣ';
  const input = { ...provenInput, order: { ...order, external_id: name } };
  const text = await pdfText(await certificatePdf(input));
  expect(text).toContain(name);
  expect(text).not.toContain('\ufffd');
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
