import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bearerOf } from '../../src/admission/require-key.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
let key: string;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_FAILED_AUTH_PER_MINUTE: '1000' },
  });
  ({ key } = await partnerOf(under));
});
afterAll(() => under.stop());

const ping = (authorization: string) =>
  call('GET', `${under.baseUrls[0]}/ping`, { headers: { authorization } });

describe('the scheme of the Authorization header', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('is %s', async (scheme) => {
    expect((await ping(`${scheme} ${key}`)).status).toBe(200);
    expect((await ping(`${scheme}   ${key} `)).status).toBe(200);
  });

  test.each<[string, () => string, string, RegExp]>([
    ['a good key alone', () => key, 'INVALID_API_KEY', /does not begin with the scheme `Bearer`/],
    ['Basic', () => `Basic ${btoa(`${key}:`)}`, 'INVALID_API_KEY', /the scheme Basic/],
    ['Basic with the key as it is', () => `basic ${key}`, 'INVALID_API_KEY', /the scheme Basic/],
    ['Token', () => `Token ${key}`, 'INVALID_API_KEY', /the scheme Token/],
    ['a word of its own', () => `Key ${key}`, 'INVALID_API_KEY', /does not begin with/],
    ['Bearer without a space', () => `Bearer${key}`, 'INVALID_API_KEY', /does not begin with/],
    ['Bearer alone', () => 'Bearer', 'INVALID_API_KEY', /no key after `Bearer`/],
    ['Bearer and two words', () => `Bearer ${key} ${key}`, 'INVALID_API_KEY', /more than one key/],
    ['Bearer and a list', () => `Bearer ${key},x`, 'INVALID_API_KEY', /more than one key/],
  ])('%s: 401 says what is wrong, and not the key', async (_, header, code, message) => {
    const { status, body, text, headers } = await ping(header());
    expect([status, body.error.code]).toEqual([401, code]);
    expect(body.error.message).toMatch(message);
    expect(text).not.toContain(key.slice(9, 20));
    expect(text).not.toContain(btoa(key).slice(12, 30));
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });
});

const result = (headers: string[]): string => {
  try {
    return `key ${bearerOf(headers)}`;
  } catch (error) {
    return (error as Error).message;
  }
};

test('two headers are no key, though each alone is one', () => {
  expect(result(['Bearer a'])).toBe('key a');
  expect(result(['Bearer a', 'Bearer b'])).toMatch('more than one Authorization header');
});
