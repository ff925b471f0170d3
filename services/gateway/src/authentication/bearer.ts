import { Failure } from '@pto/errors';

/**
 * The key of an `Authorization: Bearer` header.
 * @param headers every value that came; two headers are as bad as none.
 * @throws Failure MISSING_API_KEY, INVALID_API_KEY
 */
export const bearerOf = (headers: readonly string[]): string => {
  const [header] = headers;
  if (header === undefined || header.trim() === '')
    throw new Failure('MISSING_API_KEY', 'Send your API key as `Authorization: Bearer <key>`.');
  const [, key] = /^Bearer +([^\s,]+) *$/i.exec(header) ?? [];
  if (headers.length > 1 || key === undefined) throw invalidKey();
  return key;
};

export const invalidKey = (): Failure =>
  new Failure('INVALID_API_KEY', 'This API key is not known.');
