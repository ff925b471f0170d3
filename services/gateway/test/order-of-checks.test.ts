import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newApiKey } from '@pto/access';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from './gateway-service.ts';

let under: GatewayUnderTest;
let base: string;
let full: string;
let reader: string;
let disabled: string;
beforeAll(async () => {
  under = await startGatewayService({
    environment: { GATEWAY_FAILED_AUTH_PER_MINUTE: '100003' },
  });
  base = under.baseUrls[0]!;
  full = (await partnerOf(under)).key;
  reader = (await partnerOf(under, { scopes: ['orders:read'] })).key;
  disabled = (await partnerOf(under, { disabled: true, scopes: ['webhooks:manage'] })).key;
});
afterAll(() => under.stop());

const kindOf = async (...request: Parameters<typeof call>): Promise<string> => {
  const { status, body } = await call(...request);
  return `${status} ${body?.error?.code ?? (body?.detail ? body.detail[0].type : '')}`.trim();
};

test('ping tells whose key it is and where', async () => {
  const { status, body } = await call('GET', `${base}/ping`, { key: full });
  expect([status, body]).toEqual([
    200,
    { status: 'ok', organization: 'Demo Clinic', environment: 'sandbox' },
  ]);
});

test('credentials come before the path', async () => {
  expect(await kindOf('GET', `${base}/nowhere`)).toBe('401 MISSING_API_KEY');
  const key = newApiKey('sandbox');
  expect(await kindOf('PUT', `${base}/ping`, { key })).toBe('401 INVALID_API_KEY');
});

test('the path and the method come before the organization', async () => {
  expect(await kindOf('GET', `${base}/nowhere`, { key: disabled })).toBe('404 NOT_FOUND');
  expect(await kindOf('PUT', `${base}/ping`, { key: disabled })).toBe('405 METHOD_NOT_ALLOWED');
});

test('the organization comes before the scope', async () => {
  const asked = await kindOf('GET', `${base}/orders`, { key: disabled });
  expect(asked).toBe('403 ORGANIZATION_NOT_ENABLED');
});

test('the scope comes before the rate limit', async () => {
  const { key } = await partnerOf(under, { scopes: ['orders:read'], writes: 1 });
  for (const _ of [1, 2, 3])
    expect(await kindOf('POST', `${base}/orders`, { key, body: {} })).toBe(
      '403 INSUFFICIENT_SCOPE',
    );
});

test('the rate limit comes before the size', async () => {
  const { key } = await partnerOf(under, { writes: 1 });
  const body = ' '.repeat(300_000);
  expect(await kindOf('POST', `${base}/orders`, { key, body })).toBe('413 PAYLOAD_TOO_LARGE');
  expect(await kindOf('POST', `${base}/orders`, { key, body })).toBe('429 RATE_LIMITED');
});

test('the size comes before the media type, and that before the body', async () => {
  const headers = { 'content-type': 'text/plain' };
  const large = { key: full, body: ' '.repeat(300_000), headers };
  expect(await kindOf('POST', `${base}/orders`, large)).toBe('413 PAYLOAD_TOO_LARGE');
  const small = { key: full, body: '{', headers };
  expect(await kindOf('POST', `${base}/orders`, small)).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  expect(await kindOf('POST', `${base}/orders`, { key: full, body: '{' })).toBe('422 json_invalid');
});

test('what is wrong with a request comes before whether its order is there', async () => {
  const url = `${base}/orders/nowhere/cancel`;
  expect(await kindOf('POST', url, { key: full, body: {} })).toBe('422 uuid_parsing');
  expect(await kindOf('POST', url, { key: reader, body: {} })).toBe('403 INSUFFICIENT_SCOPE');
});
