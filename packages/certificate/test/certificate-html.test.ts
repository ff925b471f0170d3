import { expect, test } from '@jest/globals';
import { certificateHtml } from '../src/index.ts';
import { chained } from './samples/a-history.ts';
import { inputOf, proof, proofOf, provenInput, verifyUrl } from './samples/an-input.ts';
import { order, orderId } from './samples/an-order.ts';

const hostile = `"><script>alert('1')</script><img src=x onerror=alert(1)>&lt;`;

test('escapes hostile names of goods, parties, places, types and URLs', async () => {
  const events = [
    {
      internalType: `X${hostile}`,
      at: '2026-11-27T09:30:00.000Z',
      payload: { place: hostile, reference: hostile },
    },
    {
      internalType: 'HANDOVER_RECORDED',
      at: '2026-11-27T09:31:00.000Z',
      payload: {
        stage: hostile,
        from: { party: hostile, role: hostile },
        to: { party: hostile, role: hostile },
        methods: [hostile],
        scanned_seal_ids: [hostile],
      },
      personal: { to_person: hostile },
    },
  ];
  const items = [{ goods_type: hostile, seal_id: hostile }];
  const input = await inputOf(await proofOf(chained(orderId, events)), {
    order: { ...order, external_id: hostile, status: hostile, items },
    verifyUrl: `${verifyUrl}?${hostile}`,
  });
  const html = certificateHtml(input);
  expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>&lt;/);
  expect(html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)');
});

test('names the stages of the required evidence that require any', () => {
  const html = certificateHtml(provenInput);
  expect(html).toContain('Pickup: signature, scan; Drop-off: identity checked<');
});

test('has no script, loads nothing and links to nothing', () => {
  const html = certificateHtml(provenInput);
  expect(html).not.toMatch(/<script|<link|<iframe|<a |\bsrc=|\bhref=|url\(|@import/i);
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline';`);
});

test.each(['en', 'de'] as const)('names its language %s and gives tables headings', (language) => {
  const html = certificateHtml({ ...provenInput, language });
  expect(html).toContain(`<html lang="${language}">`);
  const tables = html.match(/<table aria-label="[^"]+">/g) ?? [];
  expect(tables.length).toBeGreaterThan(3);
  expect(html.match(/<table/g)).toHaveLength(tables.length);
  expect(html.match(/<thead><tr><th scope="col">/g)).toHaveLength(tables.length);
  expect(html.match(/<tbody><tr><th scope="row">/g)).toHaveLength(tables.length);
});

test('gives the same text for the same input', () => {
  expect(certificateHtml(structuredClone(provenInput))).toBe(certificateHtml(provenInput));
});

test('without the URL of a verification page it has no QR code, and the same facts', () => {
  const html = certificateHtml({ ...provenInput, verifyUrl: null });
  expect(certificateHtml(provenInput)).toContain(verifyUrl);
  expect(html).not.toContain(verifyUrl);
  expect(html).toContain(proof.head_hash);
});
