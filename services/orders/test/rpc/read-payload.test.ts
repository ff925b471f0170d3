import { describe, expect, test } from '@jest/globals';
import { readPayload } from '../../src/rpc/command-metadata.ts';

describe('a payload that the ledger cannot store unchanged is rejected', () => {
  test.each([
    '{"a":1}',
    '{"a":0.1}',
    '{"a":1.50}',
    '{"a":1e3}',
    '{"a":9007199254740993e0}'.replace('3e0', '2'),
  ])('%s is read', (text) => expect(readPayload(text)).toEqual(JSON.parse(text)));
  test.each([
    '{"a":9007199254740993}',
    '{"a":1e999}',
    '{"a":-0.0}',
    '{"a":1,"a":2}',
    '{"a":{"b":1,"\\u0062":2}}',
    '{"a":1e-400}',
    '{"a":[{"b":12345678901234567890}]}',
    '{"a":0.10000000000000000001}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"\\ud800":1}',
    '[1]',
    'null',
    '{"a":',
    `{"a":${'['.repeat(20)}${']'.repeat(20)}}`,
    `{"a":"${'x'.repeat(16_400)}"}`,
  ])('%s is rejected', (text) => expect(() => readPayload(text)).toThrow());
});
