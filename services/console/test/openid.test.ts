import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openId } from '../src/operators/openid.ts';

let issuer: string;
let discoveries = 0;
const provider = createServer((_request, response) => {
  discoveries++;
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, jwks_uri: issuer }),
  );
});
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await new Promise((resolve) => provider.once('listening', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(() => {
  provider.close();
});

test('many sign-ins that begin cost the provider one discovery, and each has secrets of its own', async () => {
  const given = { issuer, clientId: 'console', scopes: ['openid', 'offline_access'] };
  const { begin } = openId({ publicUrl: 'https://console.test' }, async () => given);
  const begun = await Promise.all(Array.from({ length: 50 }, () => begin(given)));
  begun.push(await begin(given));
  expect(discoveries).toBe(1);
  expect(new Set(begun.map(({ pending }) => pending.state)).size).toBe(begun.length);
  const { searchParams } = new URL(begun[0]!.url);
  expect([searchParams.get('state'), searchParams.get('scope')]).toEqual([
    begun[0]!.pending.state,
    'openid',
  ]);
});
