import { type ApiError, apiError } from '../errors.ts';
import type { ValidationErrorEntry } from '../types.ts';
import { retryAfterSeconds } from './retry.ts';

/** Returns the error of a response whose status is not 2xx. */
export const errorOf = ({ status, headers }: Response, text: string): ApiError =>
  apiError({
    status,
    ...contentOf(text),
    requestId: headers.get('x-request-id'),
    retryAfter: retryAfterSeconds(headers.get('retry-after'), Date.now()),
  });

/** Parses an error body: the envelope, or the `detail` array of a validation error (contract 7). */
const contentOf = (text: string) => {
  const body = parsed(text);
  const error = body?.error;
  if (isObject(error) && typeof error.code === 'string')
    return {
      code: error.code,
      message: `${error.message}`,
      details: isObject(error.details) ? error.details : {},
      errors: [],
    };
  if (Array.isArray(body?.detail)) {
    const errors: ValidationErrorEntry[] = body.detail;
    const message = errors.map(({ loc, msg }) => `${loc?.join('.')}: ${msg}`).join('; ');
    return { code: 'VALIDATION', message, details: {}, errors };
  }
  const message = 'the response is not one of the API; check the base URL and proxies';
  return { code: 'UNEXPECTED_RESPONSE', message, details: {}, errors: [] };
};

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const body = JSON.parse(text);
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
