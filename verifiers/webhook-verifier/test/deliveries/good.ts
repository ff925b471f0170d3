import { referredToAs, sample, sealed } from './bodies.ts';
import { newSecret, secret, signed, t, v1 } from './sign.ts';
import type { Vector } from './vector.ts';

const body = JSON.stringify(sealed);

const good = (
  name: string,
  input: Partial<Vector['input']> & { body?: string } = {},
  event = 'order.sealed',
): Vector => {
  const of = input.body ?? body;
  return {
    name,
    input: { header: signed(of), secrets: [secret], now: t, ...input, body: of },
    expect: { valid: true, event },
  };
};

const spelt = body
  .replace('order.sealed', 'order\\u002esealed')
  .replaceAll(',"', ' ,\n  "')
  .concat('\n');
const added = { ...sealed, more: { of: ['anything'] }, data: { ...sealed.data, note: null } };
const unknown = { event: 'order.photographed', occurred_at: sealed.occurred_at, data: { seal: 1 } };

/** What must be accepted. */
export const goodVectors: readonly Vector[] = [
  good('an event'),
  good('order.test', { body: JSON.stringify(sample) }, 'order.test'),
  good('an order without a reference', { body: JSON.stringify(referredToAs(null)) }),
  good('letters beyond ASCII', { body: JSON.stringify(referredToAs('Größe 東京 😀')) }),
  good('a body with its own spaces, escapes and a newline at the end', { body: spelt }),
  good('a body of 32 KiB', { body: JSON.stringify({ ...sealed, filler: 'ä'.repeat(16 * 1024) }) }),
  good('members that are new', { body: JSON.stringify(added) }),
  good('an event that is new', { body: JSON.stringify(unknown) }, 'order.photographed'),
  good('exactly 300 s old', { now: t + 300 }),
  good('exactly 300 s ahead', { now: t - 300 }),
  good('two v1, the first by our secret', {
    header: `${signed(body)},v1=${v1(body, t, newSecret)}`,
  }),
  good('two v1, the second by our secret', {
    header: `${signed(body, t, newSecret)},v1=${v1(body)}`,
  }),
  good('two secrets, the first signed', { secrets: [secret, newSecret] }),
  good('two secrets, the second signed', { secrets: [newSecret, secret] }),
  good('two secrets, both signed', {
    header: `${signed(body, t, newSecret)},v1=${v1(body)}`,
    secrets: [secret, newSecret],
  }),
  good('schemes that are not known, before and after', {
    header: `v0=abc,${signed(body)},v2=${v1('other')},note=`,
  }),
  good('v1 before t', { header: `v1=${v1(body)},t=${t}` }),
  good('sixteen v1, the last by our secret', {
    header: `t=${t},${`v1=${v1('other')},`.repeat(15)}v1=${v1(body)}`,
  }),
];
