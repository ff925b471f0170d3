import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verify } from '../src/index.ts';
import { sealed } from './deliveries/bodies.ts';
import { pinned } from './deliveries/pinned.ts';
import { secret, signed, t } from './deliveries/sign.ts';
import { rawBodyOf } from './deliveries/vector.ts';
import { vectorFiles } from './deliveries/vectors.ts';

test.each(Object.entries(vectorFiles))('%s is as its script writes it', (name, text) => {
  expect(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')).toBe(text);
});

test.each(pinned.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
  const { header, secrets, now } = vector.input;
  const verdict = await verify({ rawBody: rawBodyOf(vector), header, secrets, now });
  expect(
    verdict.valid
      ? { valid: true, event: verdict.event.event }
      : { valid: false, reason: verdict.reason },
  ).toEqual(vector.expect);
});

const body = Buffer.from(JSON.stringify(sealed));
const header = signed(body);
const accepted = async (rawBody: Uint8Array, given: string): Promise<boolean> =>
  (await verify({ rawBody, header: given, secrets: [secret], now: t })).valid;

test('any one byte of the body changed, wherever it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Buffer.from(body);
      changed[at] = changed[at]! ^ by;
      return !(await accepted(changed, header));
    }),
  );
});

test('any one character of the header changed, wherever it is', async () => {
  expect(await accepted(body, header)).toBe(true);
  for (let at = 0; at < header.length; at++)
    for (const other of [' ', ',', '=', '0', 'f', 'F', 'x'])
      if (header[at] !== other)
        expect([
          at,
          other,
          await accepted(body, header.slice(0, at) + other + header.slice(at + 1)),
        ]).toEqual([at, other, false]);
});

test('no header makes it throw, nor be believed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.anything()), async (given) => {
      const verdict = await verify({ rawBody: body, header: given, secrets: [secret], now: t });
      return !verdict.valid;
    }),
  );
});

test('without a clock of its own it takes this one', async () => {
  const now = Math.floor(Date.now() / 1000);
  const ask = (time: number, toleranceSeconds = 300) =>
    verify({ rawBody: body, header: signed(body, time), secrets: [secret], toleranceSeconds });
  expect(await ask(now)).toMatchObject({ valid: true, signedAt: now });
  expect(await ask(now - 3600)).toMatchObject({ reason: 'stale' });
  expect(await ask(now + 3600)).toMatchObject({ reason: 'from_the_future' });
  expect(await ask(now - 3600, 4000)).toMatchObject({ valid: true });
});
