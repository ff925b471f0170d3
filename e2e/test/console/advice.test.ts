/** What the pages say about a failed attempt. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { adviceOn } from '../../../console/src/parts/endpoint/advice.ts';

const documented = readFileSync(
  new URL('../../../docs/partners/webhooks.md', import.meta.url),
  'utf8',
);

test('each documented reason of a failed handshake has words, and each verifier’s rejection', () => {
  const [, table = ''] = documented.split('| `reason` | Meaning | What to do |');
  const rows = table.split('\n\n')[0]!.split('\n');
  const reasons = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, reason]) => reason!),
  );
  expect(reasons).toContain('unreachable');
  for (const reason of reasons) expect([reason, adviceOn({ reason })]).not.toEqual([reason, '']);
  for (const response_body of ['no_signature_matches', 'stale', 'from_the_future', 'no secret'])
    expect(adviceOn({ status_code: 401, response_body })).toMatch(/secret|clock/);
});

test.each([
  [{ status_code: 401, response_body: '{"error":"Signature Expired"}' }, 'clock'],
  [{ status_code: 400, response_body: 'bad HMAC' }, 'secret'],
  [{ status_code: 302 }, 'Redirects'],
  [{ error: 'timeout' }, '10 seconds'],
  [{ status_code: 503, response_body: 'later' }, 'log'],
  [{ status_code: 204, response_body: 'signature ok' }, ''],
  [{ error: 'something new' }, ''],
])('%j', (attempt, words) => {
  expect(adviceOn(attempt)).toContain(words);
  if (words === '') expect(adviceOn(attempt)).toBe('');
});
