import type { RefusalReason } from '../../src/verify-signature.ts';
import { sealed } from './bodies.ts';
import { newSecret, secret, signed, t, v1 } from './sign.ts';
import type { Vector } from './vector.ts';

const body = JSON.stringify(sealed);
const header = signed(body);

const refused = (
  reason: RefusalReason,
  name: string,
  input: Partial<Vector['input']> = {},
): Vector => ({
  name,
  input: { body, header, secrets: [secret], now: t, ...input },
  expect: { valid: false, reason },
});

/** The digit at a place of the signature, one higher. */
const changedAt = (at: number): string => {
  const digits = [...v1(body)];
  digits[at] = ((Number.parseInt(digits[at]!, 16) + 1) % 16).toString(16);
  return `t=${t},v1=${digits.join('')}`;
};

/** A body that is signed, and not an event. */
const signedText = (name: string, text: string): Vector =>
  refused('not_an_event', name, { body: text, header: signed(text) });
const signedBytes = (name: string, bytes: Buffer): Vector =>
  refused('not_an_event', name, {
    body: { base64: bytes.toString('base64') },
    header: signed(bytes),
  });
const latin1 = Buffer.from(body.replace('PO-2026', 'Größe'), 'latin1');

/** What must be refused, and why. */
export const refusedVectors: readonly Vector[] = [
  refused('no_header', 'no header', { header: null }),
  refused('no_header', 'an empty header', { header: '' }),

  refused('malformed_header', 'no t', { header: `v1=${v1(body)}` }),
  refused('malformed_header', 'an empty t', { header: `t=,v1=${v1(body, '')}` }),
  refused('malformed_header', 't twice', { header: `t=${t},${header}` }),
  refused('malformed_header', 't twice, the other one stale', {
    header: `${header},t=${t - 9999}`,
  }),
  refused('malformed_header', 't is not a number', { header: signed(body, 'now') }),
  refused('malformed_header', 't with a fraction', { header: signed(body, `${t}.5`) }),
  refused('malformed_header', 't with a sign', { header: signed(body, `+${t}`) }),
  refused('malformed_header', 't with a leading zero', { header: signed(body, `0${t}`) }),
  refused('malformed_header', 't with an exponent', { header: signed(body, '1772440262e0') }),
  refused('malformed_header', 't of thirteen digits', { header: signed(body, `${t}000`) }),
  refused('malformed_header', 'a space after the comma', { header: header.replace(',', ', ') }),
  refused('malformed_header', 'a space at the end', { header: `${header} ` }),
  refused('malformed_header', 'a newline at the end', { header: `${header}\n` }),
  refused('malformed_header', 'a comma at the end', { header: `${header},` }),
  refused('malformed_header', 'digits that are not of ASCII', { header: signed(body, '١٧٧٢') }),
  refused('malformed_header', 'a bare signature', { header: v1(body) }),
  refused('malformed_header', 'an upper-case scheme', { header: header.replace('v1', 'V1') }),
  refused('malformed_header', 'upper-case hex', {
    header: `t=${t},v1=${v1(body).toUpperCase()}`,
  }),
  refused('malformed_header', 'a signature cut short', { header: header.slice(0, -1) }),
  refused('malformed_header', 'a signature too long', { header: `${header}0` }),
  refused('malformed_header', 'an empty v1', { header: `t=${t},v1=` }),
  ...[1, 15, 16, 31, 33, 64].map((bytes) =>
    refused('malformed_header', `a v1 of ${bytes} bytes that begins as the right one`, {
      header: `t=${t},v1=${v1(body)
        .repeat(2)
        .slice(0, 2 * bytes)}`,
    }),
  ),
  refused('malformed_header', 'a v1 in base64', {
    header: `t=${t},v1=${Buffer.from(v1(body), 'hex').toString('base64')}`,
  }),
  refused('malformed_header', 'seventeen v1', { header: header + `,v1=${v1(body)}`.repeat(16) }),
  refused('malformed_header', 'a header of over 4096 characters', {
    header: `${header},v2=${'0'.repeat(4096)}`,
  }),

  refused('no_v1', 't alone', { header: `t=${t}` }),
  refused('no_v1', 'v0 alone', { header: `t=${t},v0=${v1(body)}` }),

  refused('no_signature_matches', 'a byte of the body changed', {
    body: body.replace('"sealed"', '"sealee"'),
  }),
  refused('no_signature_matches', 'a byte added to the body', { body: `${body}\n` }),
  refused('no_signature_matches', 'no body', { body: '' }),
  refused('no_signature_matches', 'the body parsed and serialized again', {
    header: signed(body.replaceAll('":', '": ')),
  }),
  refused('no_signature_matches', 'the first digit of the signature changed', {
    header: changedAt(0),
  }),
  refused('no_signature_matches', 'the last digit of the signature changed', {
    header: changedAt(63),
  }),
  refused('no_signature_matches', 't changed', { header: header.replace(`t=${t}`, `t=${t + 1}`) }),
  refused('no_signature_matches', 't renewed, long after', {
    header: header.replace(`t=${t}`, `t=${t + 9999}`),
    now: t + 9999,
  }),
  refused('no_signature_matches', 'another secret', { header: signed(body, t, newSecret) }),
  refused('no_signature_matches', 'the secret without its prefix', {
    header: signed(body, t, secret.slice('whsec_'.length)),
  }),
  refused('no_signature_matches', 'the body signed without t', {
    header: `t=${t},v1=${v1(body.slice(1), body[0])}`,
  }),
  refused('no_signature_matches', 'the dot moved from t into the body', {
    body: `2.${body}`,
    header: `t=${String(t).slice(0, -1)},v1=${v1(body)}`,
    now: Math.floor(t / 10),
  }),

  refused('stale', '301 s old', { now: t + 301 }),
  refused('stale', 'a day old', { now: t + 86_400 }),
  refused('stale', 'signed at the epoch', { header: signed(body, 0) }),
  refused('from_the_future', '301 s ahead', { now: t - 301 }),
  refused('from_the_future', 'in milliseconds', { header: signed(body, `${t}00`) }),

  signedText('an empty body', ''),
  signedText('no JSON', 'order.sealed'),
  signedText('JSON with a comma too many', body.replace(/}$/, ',}')),
  signedText('NaN', body.replace('"sequence":42', '"sequence":NaN')),
  signedText('a list', `[${body}]`),
  signedText('null', 'null'),
  signedText('an event without a name', JSON.stringify({ ...sealed, event: undefined })),
  signedText('a name that is a number', JSON.stringify({ ...sealed, event: 7 })),
  signedText('no occurred_at', JSON.stringify({ ...sealed, occurred_at: undefined })),
  signedText('an order event without data', JSON.stringify({ ...sealed, data: undefined })),
  signedText('an order without id', body.replace('"id"', '"ident"')),
  signedText('an order without external_id', body.replace('"external_id"', '"reference"')),
  signedText('a status that is a number', body.replace('"status":"sealed"', '"status":6')),
  signedText('no links', JSON.stringify({ ...sealed, links: [] })),
  signedText('a byte order mark', `\ufeff${body}`),
  signedBytes('Latin-1', latin1),
  signedBytes('UTF-16', Buffer.from(`\ufeff${body}`, 'utf16le')),
];
