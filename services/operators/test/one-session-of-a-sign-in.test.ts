/** A sign-in with OpenID starts one session of the console, whatever the provider accepts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { OperatorService } from '@pto/proto/operators/v1/operators';
import { freePort } from '@pto/testing';
import { idToken, type Key, newKey, providerSettings, startProvider } from './openid-provider.ts';
import { type OperatorsUnderTest, startOperatorsService } from './operators-service.ts';

let key: Key;
let provider: Awaited<ReturnType<typeof startProvider>>;
let under: OperatorsUnderTest;
beforeAll(async () => {
  key = await newKey('one');
  provider = await startProvider(await freePort(), key);
  under = await startOperatorsService({
    environment: providerSettings(provider.issuer),
  });
});
afterAll(async () => {
  await under?.stop();
  await provider?.stop();
});

const operators = (credential: string) => under.client(OperatorService, 'operators', credential);
/** An ID token of its own, as a provider issues one for each accepted code. */
const tokenOf = (nonce: string | undefined) =>
  idToken(provider.issuer, key, { nonce, jti: crypto.randomUUID() });
const start = (credential: string): Promise<string> =>
  operators(credential)
    .startSession({})
    .then(
      () => 'started',
      ({ kind, message }: Failure) => `${kind}: ${message}`,
    );
const rejected =
  'OPERATOR_NOT_AUTHENTICATED: This sign-in has started a session before. Sign in again.';

test('a second ID token of the same sign-in starts no session, also after a sign-out', async () => {
  const nonce = crypto.randomUUID();
  const { secret } = await operators(await tokenOf(nonce)).startSession({});
  expect(await start(await tokenOf(nonce))).toBe(rejected);
  await operators(secret).endSession({ everywhere: true });
  expect(await start(await tokenOf(nonce))).toBe(rejected);
});

test('of ten repetitions at once one starts a session', async () => {
  const nonce = crypto.randomUUID();
  const tokens = await Promise.all(Array.from({ length: 10 }, () => tokenOf(nonce)));
  const results = await Promise.all(tokens.map(start));
  expect(results.toSorted()).toEqual([...Array(9).fill(rejected), 'started']);
});

test('an ID token without a nonce starts one session', async () => {
  const token = await tokenOf(undefined);
  expect(await start(token)).toBe('started');
  expect(await start(token)).toBe(rejected);
});

test('the same person signs in again and again, and calls with one ID token as often', async () => {
  for (let n = 0; n < 3; n++)
    expect(await start(await tokenOf(crypto.randomUUID()))).toBe('started');
  const token = await tokenOf(crypto.randomUUID());
  for (let n = 0; n < 3; n++)
    expect((await operators(token).whoAmI({})).name).toBe('ada@clinic.example');
});
